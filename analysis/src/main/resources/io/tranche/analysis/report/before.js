"use strict";
// Charts are drawn at twice the screen's resolution at least, so that they print sharply.
window.devicePixelRatio = Math.max(2, window.devicePixelRatio || 1);
