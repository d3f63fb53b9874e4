package io.tranche.site.picture;

import java.util.Map;
import java.util.TreeMap;

/// The pictures of `docs/concepts`, in both languages.
public final class Pictures {

  private static final int WIDTH = 600;

  private Pictures() {}

  /// Returns each picture's text by its path in the project.
  public static Map<String, String> all() {
    var pictures = new TreeMap<String, String>();
    for (boolean isChinese : new boolean[] {false, true}) {
      String end = isChinese ? "-zh.svg" : ".svg";
      String folder = "docs/concepts/pictures/";
      pictures.put(folder + "orders" + end, orders(isChinese));
      pictures.put(folder + "session" + end, session(isChinese));
      pictures.put(folder + "loop" + end, loop(isChinese));
      pictures.put(folder + "fills" + end, fills(isChinese));
      pictures.put(folder + "judgement" + end, judgement(isChinese));
      pictures.put(folder + "guard" + end, guard(isChinese));
      pictures.put(folder + "service" + end, service(isChinese));
    }
    return pictures;
  }

  private static SvgDrawing drawing(int height, boolean isChinese, String english, String chinese) {
    return new SvgDrawing(WIDTH, height, isChinese ? chinese : english, isChinese);
  }

  /// A parent order of 10,000 in eight steps: what each child order fills, and what remains.
  private static String orders(boolean isChinese) {
    SvgDrawing at =
        drawing(330, isChinese, "A parent order, its child orders, and what remains", "母单、子单与剩余数量");
    int[] sent = {500, 2000, 0, 2500, 1500, 1000, 0, 2500};
    at.box(
        "own",
        60,
        12,
        520,
        44,
        at.say(
            "parent order: sell 10,000 between 09:30 and 15:00", "母单：09:30 至 15:00 卖出 10,000 股"));
    double left = 10_000;
    double step = 520.0 / sent.length;
    double[] remaining = new double[4 * sent.length];
    for (int i = 0; i < sent.length; i++) {
      double x = 60 + i * step;
      double height = sent[i] / 2500.0 * 60;
      at.line("dash", x, 56, x, 305);
      if (sent[i] > 0) {
        at.rect("rise", x + 14, 150 - height, step - 28, height);
      }
      at.text(x + step / 2, 168, "middle", "small", sent[i] == 0 ? "0" : Integer.toString(sent[i]));
      remaining[4 * i] = x;
      remaining[4 * i + 1] = 295 - left / 10_000 * 90;
      left -= sent[i];
      remaining[4 * i + 2] = x + step;
      remaining[4 * i + 3] = 295 - left / 10_000 * 90;
    }
    at.line("dash", 580, 56, 580, 305);
    at.text(64, 78, "start", "small", at.say("child orders, one per step", "子单，每步一笔"));
    at.line("bold", remaining);
    at.line("line", 60, 295, 580, 295);
    at.text(66, 288, "start", "small", at.say("remaining", "剩余数量"));
    at.text(60, 322, "start", "small", "09:30");
    at.text(320, 322, "middle", "small", "11:30 / 13:00");
    return at.text(580, 322, "end", "small", "15:00").svg();
  }

  /// A day of two segments: bars, ticks and steps.
  private static String session(boolean isChinese) {
    SvgDrawing at =
        drawing(
            290,
            isChinese,
            "A session of two segments, cut into bars and steps",
            "由两个时段组成的交易日，切成 K 线和步");
    at.text(
        20,
        24,
        "start",
        "strong",
        at.say("session: 09:30-11:30, 13:00-15:00", "交易时段：09:30-11:30，13:00-15:00"));
    for (int half = 0; half < 2; half++) {
      double from = half == 0 ? 20 : 330;
      at.rect("own", from, 40, 250, 150);
      for (int i = 0; i < 16; i++) {
        double x = from + 8 + i * 15.1;
        int tick = half * 16 + i;
        double middle = 115 + 32 * Math.sin(tick / 5.0) - 10 * Math.cos(tick / 2.0);
        double body = 7 + 5 * Math.abs(Math.sin(tick * 1.7));
        at.line("line", x + 4, middle - body - 8, x + 4, middle + body + 8);
        at.rect(Math.sin(tick * 2.3) > 0 ? "rise" : "fall", x, middle - body, 8, 2 * body);
      }
      for (int i = 0; i < 4; i++) {
        double x = from + i * 62.5;
        at.line("bold", x + 3, 205, x + 59.5, 205);
        at.text(x + 31, 224, "middle", "small", at.say("step ", "步 ") + (half * 4 + i));
      }
      at.text(from, 262, "start", "small", half == 0 ? "09:30" : "13:00");
      at.text(from + 250, 262, "end", "small", half == 0 ? "11:30" : "15:00");
    }
    at.text(300, 120, "middle", "small", at.say("break", "午休"));
    return at.text(
            300,
            284,
            "middle",
            "small",
            at.say(
                "one candle = one bar = one tick; four ticks to a step here",
                "一根 K 线 = 一个 tick；这里四个 tick 为一步"))
        .svg();
  }

  private static String loop(boolean isChinese) {
    SvgDrawing at =
        drawing(300, isChinese, "The loop of observation, action and reward", "观测、动作、奖励的循环");
    at.box(
        "own", 215, 14, 170, 62, at.say("policy", "策略"), at.say("acts, does not learn", "只行动，不学习"));
    at.box(
        "box",
        410,
        120,
        180,
        62,
        at.say("action interpreter", "动作解释器"),
        at.say("action → child order", "动作 → 子单"));
    at.box(
        "box",
        10,
        120,
        180,
        62,
        at.say("state interpreter", "状态解释器"),
        at.say("state → observation", "状态 → 观测"));
    at.box(
        "box",
        205,
        224,
        190,
        62,
        at.say("simulator", "模拟器"),
        at.say("fills against past bars", "按历史 K 线撮合"));
    at.arrow(385, 50, 470, 116).text(448, 80, "start", "small", at.say("action", "动作"));
    at.arrow(500, 182, 399, 246).text(470, 228, "start", "small", at.say("child order", "子单"));
    at.arrow(203, 246, 102, 186).text(110, 228, "end", "small", at.say("state", "状态"));
    at.arrow(130, 118, 213, 54).text(150, 80, "end", "small", at.say("observation", "观测"));
    at.box(
        "warn", 235, 124, 130, 52, at.say("reward", "奖励"), at.say("trains the policy", "用来训练策略"));
    return at.arrow(300, 222, 300, 180).arrow(300, 122, 300, 80).svg();
  }

  /// A child order over six ticks under a volume cap: what fills, and what is left.
  private static String fills(boolean isChinese) {
    SvgDrawing at =
        drawing(
            330,
            isChinese,
            "A child order spread over ticks, with a volume cap and costs",
            "子单按 tick 均匀成交，受量比上限约束并计入成本");
    int[] volume = {120, 90, 30, 140, 0, 100};
    at.text(
        20,
        22,
        "start",
        "strong",
        at.say("child order 60 over 6 ticks, cap 25 % of volume", "子单 60 股，6 个 tick，上限为成交量的 25 %"));
    double even = 60 / 5.0; // the missing bar takes no part
    for (int i = 0; i < volume.length; i++) {
      double x = 30 + i * 92;
      at.rect("pale", x, 170 - volume[i] * 0.9, 34, volume[i] * 0.9);
      double cap = volume[i] * 0.25;
      double filled = volume[i] == 0 ? 0 : Math.min(even, cap);
      at.rect("rise", x + 38, 170 - filled * 3, 22, filled * 3);
      at.text(
          x + 30,
          190,
          "middle",
          "small",
          volume[i] == 0
              ? at.say("no bar", "缺 K 线")
              : Double.toString(filled).replaceFirst("\\.0$", ""));
    }
    at.line("line", 20, 170, 580, 170);
    at.text(
        30,
        218,
        "start",
        "small",
        at.say(
            "grey: the market's volume; colour: what fills. Beyond the cap nothing fills.",
            "灰：市场成交量；彩色：成交量。超过上限的部分不成交。"));
    at.box("box", 10, 240, 130, 60, at.say("price", "成交价"), at.say("of the bar", "取自 K 线"));
    at.box(
        "warn",
        160,
        240,
        130,
        60,
        at.say("+ half spread", "+ 半个价差"),
        at.say("market orders", "市价单"));
    at.box(
        "warn",
        310,
        240,
        130,
        60,
        at.say("+ impact", "+ 冲击成本"),
        at.say("grows with size", "随下单量增大"));
    at.box(
        "warn",
        460,
        240,
        130,
        60,
        at.say("+ fees, tax", "+ 佣金、税"),
        at.say("by fill or order", "按笔或按单"));
    return at.arrow(140, 270, 158, 270).arrow(290, 270, 308, 270).arrow(440, 270, 458, 270).svg();
  }

  /// Differences to TWAP by day, their mean and its interval, for two agents.
  private static String judgement(boolean isChinese) {
    SvgDrawing at =
        drawing(
            300, isChinese, "Paired differences by day, with mean and interval", "按日配对的差值、均值与区间");
    at.text(
        20,
        22,
        "start",
        "strong",
        at.say("agent minus TWAP, bps per order, one dot per day", "智能体减 TWAP，每单基点，每点一日"));
    at.line("dash", 60, 150, 580, 150).text(54, 155, "end", "small", "0");
    for (int agent = 0; agent < 2; agent++) {
      double from = agent == 0 ? 80 : 350;
      double mean = agent == 0 ? 34 : 12;
      double margin = agent == 0 ? 16 : 22;
      double spread = agent == 0 ? 38 : 62;
      for (int day = 0; day < 14; day++) {
        double value =
            mean
                + spread
                    * Math.sin(day * 2.4 + agent)
                    * (0.4 + 0.6 * Math.abs(Math.cos(day * 1.3)));
        at.dot("pale", from + day * 9, 150 - value);
      }
      double x = from + 160;
      at.line("bold", x, 150 - mean - margin, x, 150 - mean + margin);
      at.line("bold", x - 8, 150 - mean - margin, x + 8, 150 - mean - margin);
      at.line("bold", x - 8, 150 - mean + margin, x + 8, 150 - mean + margin);
      at.dot("rise", x, 150 - mean);
    }
    at.box(
        "own",
        70,
        232,
        220,
        58,
        at.say("better than TWAP", "优于 TWAP"),
        at.say("the interval is above zero", "区间整体在零以上"));
    return at.box(
            "box",
            340,
            232,
            220,
            58,
            at.say("no difference", "无差别"),
            at.say("the interval contains zero", "区间包含零"))
        .svg();
  }

  /// How far a child order may lie from TWAP's towards the agent's.
  private static String guard(boolean isChinese) {
    SvgDrawing at =
        drawing(300, isChinese, "The guard between TWAP and the agent", "护栏：在 TWAP 与智能体之间");
    at.box("box", 10, 20, 190, 62, at.say("the agent wants", "智能体想下"), "2,000");
    at.box("box", 10, 150, 190, 62, at.say("TWAP would send", "TWAP 会下"), "1,250");
    at.box("own", 240, 78, 150, 76, at.say("guard 50 %", "护栏 50 %"), "1,250 + 0.5 × 750");
    at.box("own", 430, 78, 160, 76, at.say("child order", "子单"), "1,625");
    at.arrow(200, 56, 242, 92).arrow(200, 176, 242, 140).arrow(390, 116, 428, 116);
    at.box(
        "warn",
        60,
        240,
        480,
        50,
        at.say(
            "no proof on days unseen by training: guard 0 % = TWAP",
            "训练未见过的日子上没有证据：护栏 0 % = TWAP"));
    return at.arrow(315, 238, 315, 158).svg();
  }

  private static String service(boolean isChinese) {
    SvgDrawing at =
        drawing(
            330,
            isChinese,
            "The decision service: journal first, then the answer",
            "决策服务：先写日志，再应答");
    at.box(
        "box",
        10,
        30,
        130,
        62,
        at.say("trading desk", "交易台"),
        at.say("bars, orders, fills", "行情、母单、成交"));
    at.box(
        "own",
        215,
        20,
        170,
        82,
        at.say("service", "服务"),
        at.say("ledger of orders", "订单台账"),
        at.say("risk limits", "风控限额"));
    at.box("box", 450, 30, 140, 62, at.say("model", "模型"), at.say("a thread of its own", "独立线程"));
    at.box(
        "warn", 215, 170, 170, 62, at.say("journal", "日志"), at.say("fsync, then answer", "落盘后才应答"));
    at.arrow(140, 50, 213, 50).text(176, 42, "middle", "small", at.say("asks", "请求"));
    at.arrow(213, 76, 142, 76).text(176, 94, "middle", "small", at.say("answer", "应答"));
    at.arrow(385, 50, 448, 50).arrow(448, 76, 387, 76);
    at.arrow(285, 102, 285, 168).arrow(315, 168, 315, 104);
    at.text(326, 140, "start", "small", at.say("every event", "每个事件"));
    at.box(
        "box",
        10,
        170,
        150,
        62,
        at.say("after a crash", "崩溃之后"),
        at.say("the journal is read", "重读日志恢复"));
    at.arrow(213, 201, 162, 201);
    at.box(
        "box",
        430,
        170,
        160,
        62,
        at.say("model too late", "模型超时"),
        at.say("TWAP decides", "由 TWAP 决定"));
    at.arrow(520, 92, 520, 168);
    return at.text(
            300,
            285,
            "middle",
            "small",
            at.say(
                "Nothing is answered before it is on disk, and every decision comes before its deadline.",
                "未落盘不应答；每个决策都在截止时间之前给出。"))
        .svg();
  }
}
