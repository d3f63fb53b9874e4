// The search of the site. The index is a script too (search-index.js), so all of it works from a folder.
(function () {
  'use strict';
  const STOP = new Set(('a an and any are as at be been but by can could did do does during for from get has have how i if in into is it its ' +
    'like me much my need no not of on one or our own per say see should so that the their them then there they this to us use want was we what when ' +
    'where which who why will with without would you your').split(' '));

  // Words of readers, and ours.
  const SAME = {
    windows: 'windows platforms', license: 'licence', plot: 'report charts', chart: 'report charts', timezone: 'time zone',
    backup: 'back up', rollback: 'roll back', hyperparameter: 'setting tuning', crash: 'crash fails', dataset: 'data',
    gradle: 'gradle maven', docker: 'container', slippage: 'slippage impact', fee: 'commission costs', fees: 'commission costs',
    realtime: 'live', production: 'live', password: 'token', authentication: 'token', ssl: 'tls', https: 'tls',
  };

  function stem(word) {
    let s = word;
    if (s.length > 5 && s.endsWith('ing')) s = s.slice(0, -3);
    else if (s.length > 4 && s.endsWith('ed')) s = s.slice(0, -2);
    else if (s.length > 4 && s.endsWith('es')) s = s.slice(0, -2);
    else if (s.length > 3 && s.endsWith('s') && !s.endsWith('ss')) s = s.slice(0, -1);
    return s.length > 4 && s.endsWith('e') ? s.slice(0, -1) : s;
  }

  function tokens(text) {
    const found = [];
    const words = text.toLowerCase().replace(/[a-z]+/g, word => Object.hasOwn(SAME, word) ? SAME[word] : word);
    for (const word of words.match(/[a-z0-9_]+|\p{Script=Han}+/gu) || []) {
      if (/\p{Script=Han}/u.test(word)) {
        for (let i = 0; i + 1 < word.length; i++) found.push(word.slice(i, i + 2));
        if (word.length === 1) found.push(word);
      } else if (word.includes('_') && !Object.hasOwn(window.TRANCHE_WORDS, stem(word))) {
        found.push(...word.split(/_+/).filter(part => part).map(stem));
      } else if (!STOP.has(word)) {
        found.push(stem(word));
      }
    }
    return [...new Set(found)];
  }

  // The sections that match best: [address, page, heading, excerpt], at most `most`.
  function find(question, most) {
    const words = window.TRANCHE_WORDS;
    const scores = new Map();
    const hits = new Map();
    const asked = tokens(question);
    asked.forEach((word, i) => {
      let lists = Object.hasOwn(words, word) ? [words[word]] : [];
      if (!lists.length && i === asked.length - 1 && word.length > 2) { // still being typed
        lists = Object.keys(words).filter(each => each.startsWith(word)).slice(0, 20).map(each => words[each]);
      }
      for (const list of lists) {
        for (let at = 0; at < list.length; at += 2) {
          scores.set(list[at], (scores.get(list[at]) || 0) + list[at + 1]);
          hits.set(list[at], (hits.get(list[at]) || 0) + 1);
        }
      }
    });
    // A section with all words of the question goes before one that repeats a single word.
    const rank = id => scores.get(id) * (hits.get(id) / Math.max(1, asked.length));
    return [...scores.keys()].sort((a, b) => rank(b) - rank(a) || a - b).slice(0, most)
      .map(id => window.TRANCHE_SECTIONS[id]);
  }

  window.trancheSearch = find;

  const box = document.getElementById('search');
  const list = document.getElementById('results');
  if (!box || !list) return;
  const root = document.documentElement.dataset.root;
  const chinese = document.documentElement.lang === 'zh';

  function show() {
    const question = box.value.trim();
    list.replaceChildren();
    list.hidden = !question;
    if (!question) return;
    const inLanguage = section => section[0].startsWith('docs/zh/') === chinese;
    const all = find(question, 60);
    const found = all.filter(inLanguage).concat(all.filter(each => !inLanguage(each))).slice(0, 10);
    if (!found.length) {
      const none = document.createElement('li');
      none.textContent = chinese ? '没有找到' : 'Nothing found';
      list.append(none);
    }
    for (const [address, page, heading, excerpt] of found) {
      const link = document.createElement('a');
      link.href = root + address;
      const title = document.createElement('b');
      title.textContent = heading === page ? page : page + ' › ' + heading;
      const text = document.createElement('span');
      text.textContent = excerpt;
      link.append(title, text);
      const item = document.createElement('li');
      item.append(link);
      list.append(item);
    }
  }

  box.addEventListener('input', show);
  document.addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== box) {
      event.preventDefault();
      box.focus();
    } else if (event.key === 'Escape') {
      box.value = '';
      show();
    } else if (event.key === 'Enter' && document.activeElement === box) {
      const first = list.querySelector('a');
      if (first) first.click();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
      const links = [box, ...list.querySelectorAll('a')];
      const next = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
      if (links[next]) {
        event.preventDefault();
        links[next].focus();
      }
    }
  });
  document.addEventListener('click', event => {
    if (!list.contains(event.target) && event.target !== box) list.hidden = true;
  });
  if (location.hash.startsWith('#?')) {
    box.value = decodeURIComponent(location.hash.slice(2));
    show();
  }
})();
