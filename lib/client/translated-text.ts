/**
 * Keeps pages working while the browser translates them. A translator replaces each text node with `<font><font>…`, in a world of
 * its own, and React keeps the text node. React then throws as soon as it removes that node or inserts beside it (React issue
 * 11538), and an update of its text shows nothing.
 */

/**
 * Runs before everything else on a page. An observer remembers which element replaced a text node. The text node takes its place
 * back before React uses it, and the translator translates it again. Until a translator is seen, nothing changes: an
 * error of our own is thrown as before.
 */
export const SURVIVE_TRANSLATION = `(function () {
  var replacedBy = new WeakMap();
  var translated = false;
  var prototype = Node.prototype;
  var removeChild = prototype.removeChild;
  var insertBefore = prototype.insertBefore;
  var appendChild = prototype.appendChild;
  var nodeValue = Object.getOwnPropertyDescriptor(prototype, "nodeValue");

  function isFont(node) {
    return node instanceof Element && node.nodeName === "FONT";
  }

  function read(records) {
    var fonts = [];
    records.forEach(function (record) {
      record.addedNodes.forEach(function (node) {
        if (isFont(node) && !isFont(record.target)) fonts.push(node);
      });
    });
    if (fonts.length === 0) return;
    translated = true;
    records.forEach(function (record) {
      record.removedNodes.forEach(function (node) {
        if (node.nodeType !== Node.TEXT_NODE || node.isConnected) return;
        var candidates = [record.addedNodes[0], record.previousSibling, record.nextSibling];
        var font = candidates.find(function (candidate) {
          return fonts.indexOf(candidate) !== -1;
        });
        if (font === undefined) return;
        replacedBy.set(node, font);
        fonts.splice(fonts.indexOf(font), 1);
      });
    });
  }

  var observer = new MutationObserver(read);
  observer.observe(document, { childList: true, subtree: true });

  function takePlaceBack(node) {
    if (!(node instanceof Text)) return;
    read(observer.takeRecords());
    if (!translated) return;
    var font = replacedBy.get(node);
    replacedBy.delete(node);
    if (node.parentNode === null && font !== undefined && font.parentNode !== null) font.replaceWith(node);
    while (isFont(node.parentNode)) node.parentNode.replaceWith(node);
  }

  prototype.removeChild = function (child) {
    takePlaceBack(child);
    if (translated && child instanceof Node && child.parentNode !== this) return child;
    return removeChild.call(this, child);
  };

  prototype.insertBefore = function (child, before) {
    takePlaceBack(child);
    takePlaceBack(before);
    if (translated && before instanceof Node && before.parentNode !== this) return insertBefore.call(this, child, null);
    return insertBefore.call(this, child, before);
  };

  // A text that moves to the end would leave its translation behind.
  prototype.appendChild = function (child) {
    takePlaceBack(child);
    return appendChild.call(this, child);
  };

  Object.defineProperty(prototype, "nodeValue", {
    configurable: true,
    enumerable: nodeValue.enumerable,
    get: nodeValue.get,
    set: function (value) {
      takePlaceBack(this);
      nodeValue.set.call(this, value);
    },
  });
})();`;
