/// Elements by what they mean for text (https://html.spec.whatwg.org/multipage/#toc-semantics).
enum HTMLElements {
    /// Whose content is no text to read. Captions go with their pictures: out of place, they read like sentences of the
    /// story.
    static let invisible: Set<String> = [
        "script", "style", "noscript", "template", "svg", "iframe", "object", "embed", "applet", "audio", "video",
        "canvas", "map", "select", "textarea", "button", "datalist", "progress", "meter", "nav", "title", "rp",
        "frameset", "noframes", "figcaption",
    ]

    /// That stand on lines of their own.
    static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir",
        "div",
        "dl", "dt", "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
        "hgroup", "hr", "legend", "li", "main", "menu", "ol", "p", "pre", "section", "summary", "table", "tbody",
        "tfoot",
        "thead", "tr", "ul",
    ]

    /// Every name that makes a text look like HTML.
    static let all: Set<String> = invisible.union(blocks).union([
        "a", "abbr", "acronym", "area", "b", "base", "bdi", "bdo", "big", "br", "cite", "code", "col", "colgroup",
        "data",
        "del", "dfn", "em", "font", "head", "html", "i", "img", "input", "ins", "kbd", "label", "link", "mark", "math",
        "meta", "nobr", "option", "output", "picture", "q", "rt", "ruby", "s", "samp", "small", "source", "span",
        "strike",
        "strong", "sub", "sup", "td", "th", "time", "track", "tt", "u", "var", "wbr",
    ])
}
