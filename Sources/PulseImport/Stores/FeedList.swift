import CXML
import Foundation
import PulseCore
import PulseMarkup

/// A reader's list of feeds in OPML (http://opml.org/spec2.opml).
enum FeedList {
    /// In bytes. No list of feeds is as long.
    private static let longest = 16 << 20

    /// The name of each feed and the folder that it is in, by its address. A list that is no XML has no feeds: the
    /// articles count, and not what they are filed under.
    static func feeds(opml path: String) throws(PulseError) -> [String: StoreFeed] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw PulseError(reading: path, errno: EACCES)
        }
        // Nothing is fetched and no entity is expanded: the flags that would do so are not given.
        let options = Int32(
            XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
                | XML_PARSE_RECOVER.rawValue)
        let document = data.prefix(longest).withUnsafeBytes { bytes in
            xmlReadMemory(bytes.baseAddress, Int32(bytes.count), nil, nil, options)
        }
        guard let document else { return [:] }
        defer { xmlFreeDoc(document) }
        var feeds: [String: StoreFeed] = [:]
        collect(from: xmlDocGetRootElement(document), folder: nil, into: &feeds)
        return feeds
    }

    /// libxml2 allows a depth of 256.
    private static func collect(from parent: xmlNodePtr?, folder: String?, into feeds: inout [String: StoreFeed]) {
        var node = parent?.pointee.children
        while let element = node {
            defer { node = element.pointee.next }
            guard element.pointee.type == XML_ELEMENT_NODE else { continue }
            let name = attribute("title", of: element) ?? attribute("text", of: element)
            if let address = attribute("xmlUrl", of: element) {
                feeds[address] = StoreFeed(name: name, category: folder)
            }
            collect(from: element, folder: name ?? folder, into: &feeds)
        }
    }

    private static func attribute(_ name: String, of element: xmlNodePtr) -> String? {
        guard let value = xmlGetProp(element, name) else { return nil }
        // What `xmlFree` points to, which Swift takes for a variable that any thread may change.
        defer { free(value) }
        return String(cString: value).trimmed.nonEmpty
    }
}
