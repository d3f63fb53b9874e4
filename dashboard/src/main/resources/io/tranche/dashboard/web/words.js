// The page's words in English and Chinese. Names, files and messages of the server stay as they are.
const CHINESE = {
  "Runs": "训练", "Compare": "对比", "Orders": "订单", "Service": "服务", "Skip to content": "跳到正文",
  "live": "实时", "not connected": "未连接", "Token": "令牌", "Filter by name or tag": "按名称或标签筛选",
  "Name": "名称", "State": "状态", "Progress": "进度", "Validation, bps": "验证（基点）", "Over TWAP, bps": "相对 TWAP（基点）",
  "Seed": "种子", "Tags": "标签", "Changed": "更新时间", "RUNNING": "运行中", "DONE": "已完成", "STOPPED": "已停止", "BROKEN": "无法读取",
  "RUN": "训练", "SEARCH": "调参", "TRIAL": "试验", "ROLL": "滚动", "WINDOW": "窗口",
  "Compare {0} runs": "对比 {0} 个训练", "Show trials and windows": "显示试验与窗口", "No runs yet": "还没有训练",
  "There is no run in {0}. Train one, and it appears here while it goes:": "{0} 中没有训练。开始一次训练，它会在进行时显示在这里：",
  "No run matches": "没有匹配的训练", "Nothing is chosen": "未选择", "Choose runs in the list to compare them.": "在列表中选择要对比的训练。",
  "Smoothing": "平滑", "Whole run": "全程", "Advantage": "优势", "Reward": "奖励", "Fill rate": "成交率", "Losses": "损失", "Entropy": "熵",
  "KL divergence": "KL 散度", "Gradient norm": "梯度范数", "Throughput, episodes/s": "吞吐（回合/秒）", "Memory, MB": "内存（MB）", 
  "training": "训练", "validation": "验证", "after fees": "扣除费用后", "iteration": "迭代", "mean of {0} seeds": "{0} 个种子的均值", 
  "Results": "结果", "Curves": "曲线", "better": "更好", "worse": "更差", "no difference": "无差异", "not enough days": "天数不足", "does not complete": "未完成",
  "Prices of orders of the same instrument, day and side, in basis points; positive is better than the model with most orders.": "同一标的、日期与方向的订单价格，以基点计；正值表示优于订单最多的模型。", "Against": "对照", "Mean, bps": "均值（基点）", "95 % interval": "95 % 区间", "Buys, bps": "买（基点）", "Sells, bps": "卖（基点）",
  "Completion": "完成度", "Filled": "成交", "Orders ": "订单", "Days": "天数", "Costs": "成本", "Cost": "成本", "Checkpoints": "检查点", "Checkpoint": "检查点", "Iteration": "迭代", "Size": "大小",
  "Written": "写入时间", "chosen": "已选", "Selection": "选择", "Configuration": "配置", "Differences of configuration": "配置差异", "Setting": "设置",
  "All settings are the same.": "所有设置相同。", "Data health": "数据健康", "Look for problems": "检查问题", "Nothing strange was found.": "未发现异常。",
  "Symptom": "症状", "What was seen": "观察到", "Likely cause": "可能原因", "What helps": "解决办法", "Stop after this iteration": "本次迭代后停止", "Resume": "继续训练", "asked to stop": "已请求停止",
  "Edit tags": "编辑标签", "Tags, separated by commas": "标签，用逗号分隔", "Save": "保存", "Cancel": "取消", "Explore its orders": "浏览订单",
  "Not judged yet": "尚未评判", "No report is here. Judge the run to see how it does against TWAP, VWAP and the oracle:": "还没有报告。评判该训练，查看它相对 TWAP、VWAP 与先知的表现：",
  "Windows": "窗口", "Judged days": "评判日", "Walk forward": "滚动向前", "Tuning": "调参", "Trial": "试验", "Iterations": "迭代数", "Rungs": "阶梯", "Reason": "原因",
  "Instrument": "标的", "Day": "日期", "Window": "时段", "Side": "方向", "Amount": "数量", "Advantage, bps": "优势（基点）", "Net, bps": "净优势（基点）", "Cost, bps": "成本（基点）",
  "BUY": "买", "SELL": "卖", "any side": "任意方向", "of": "共", "Previous": "上一页", "Next": "下一页", "Back to the list": "返回列表", "recorded": "已记录",
  "only recorded": "仅已记录", "No record of orders": "没有订单记录",
  "This run was judged without a record. This command makes one:": "该训练评判时没有记录。用此命令生成：",
  "This order was not recorded step by step. This command records all of them:": "该订单未逐步记录。用此命令记录全部订单：",
  "Price and fills": "价格与成交", "Remaining": "剩余", "Decisions": "决策", "Step": "步", "Time": "时间", "Chosen": "选择", "Probabilities": "概率", "Values": "价值", "Volume": "数量", "Paid": "成交价",
  "What the agent saw": "智能体所见", "Feature": "特征", "What each feature did to the decision": "各特征对决策的影响",
  "Occlusion: by how many percentage points the probability of the choice falls when the agent sees the day’s mean instead of the feature.": "遮挡：当智能体看到的是该特征的当日均值时，所选动作的概率下降多少个百分点。",
  "Occlusion: by how much the score of the choice falls when the agent sees the day’s mean instead of the feature.": "遮挡：当智能体看到的是该特征的当日均值时，所选动作的得分下降多少。",
  "No service": "没有服务",
  "This dashboard was started without a service. Start it with:": "本看板启动时未指定服务。请这样启动：", "Latency": "延迟", "Decisions ": "决策", "Fallbacks to TWAP": "回退到 TWAP", "Limits hit": "触发限额",
  "Drift": "漂移", "Open orders": "未结订单", "Switches": "开关", "Models": "模型", "Limits": "限额", "Children": "子订单", "Order": "订单", "Model": "模型", "Scope": "范围", "State ": "状态", "on": "开", "off": "关",
  "Everything is switched on.": "全部开启。", "There are no open orders.": "没有未结订单。", 
  "Canary against default": "金丝雀对比默认", "median": "中位数", "The server does not answer": "服务器没有应答", "It may have been stopped. The page goes on by itself when it is back.": "它可能已停止。恢复后页面会自动继续。", "Try again": "重试",
  "Something cannot be read": "有内容无法读取", "Still reading the file": "仍在读取文件", "Token of the dashboard": "看板令牌", "The token that the dashboard was started with; it is kept until this tab is closed.": "启动看板所用的令牌；关闭此标签页前有效。",
  "of {0}": "共 {0}", "{0} of {1}": "{0} / {1}", "not known": "未知", "all": "全部", "after costs": "扣除成本后", "Finding": "发现", "Rule": "规则", "Place": "位置", "Report": "报告", "Reached": "次数",
  "{0} orders": "{0} 个订单", "iteration {0}": "第 {0} 次迭代", "now": "刚刚", "{0} min ago": "{0} 分钟前", "{0} h ago": "{0} 小时前", "Metric": "指标", "Latest values": "最新数值", "Action": "动作", "Total": "合计", "Sort by {0}": "按 {0} 排序", "Verdict": "结论",
};

let language = localStorage.getItem("language") || (navigator.language.startsWith("zh") ? "zh" : "en");

export const t = (text, ...values) =>
  values.reduce((made, value, i) => made.replace(`{${i}}`, value), (language === "zh" && CHINESE[text] || text).trim());
export const isChinese = () => language === "zh";
export const known = CHINESE;
export function setLanguage(other) {
  language = other;
  localStorage.setItem("language", other);
}
