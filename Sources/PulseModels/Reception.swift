import Foundation

/// Where a response's body goes: it looks at the head, decides whether and where the bytes belong in the `.part` file,
/// and writes them there as they arrive.
///
/// A class, because libcurl's callbacks can be given no more than a pointer. It lives and is used on the one thread
/// that runs the transfer.
final class Reception {
    private(set) var head = ResponseHead()
    /// Why the body was refused; libcurl then only knows that the callback did.
    private(set) var refusal: ModelError?

    private let descriptor: Int32
    private let path: String
    private let entry: CatalogEntry
    /// Where the next byte goes, and how many bytes the file holds.
    private(set) var offset: Int64
    /// The server sent the file from its start, and what was there before is gone.
    private(set) var hasRestarted = false
    private var isAccepted = false
    private var unwanted = 0
    private static let unwantedLimit = 1 << 20

    /// The descriptor must stay open for as long as the reception is used; `offset` bytes are there and wanted.
    init(into part: borrowing PartFile, of entry: CatalogEntry, offset: Int64) {
        descriptor = part.file.descriptor
        path = part.path
        self.entry = entry
        self.offset = offset
    }

    /// For tests: any descriptor.
    init(descriptor: Int32, path: String, of entry: CatalogEntry, offset: Int64) {
        self.descriptor = descriptor
        self.path = path
        self.entry = entry
        self.offset = offset
    }

    func receive(headerLine bytes: UnsafeRawBufferPointer) {
        head.read(line: String(decoding: bytes, as: UTF8.self))
    }

    /// Whether to go on.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard refusal == nil else { return false }
        guard head.status == 200 || head.status == 206 else {
            // The page beside an error or a redirect. It is read to its end, because libcurl works out where a redirect
            // leads only then; an endless one is not.
            unwanted += bytes.count
            return unwanted <= Self.unwantedLimit
        }
        do throws(ModelError) {
            if !isAccepted { try accept() }
            isAccepted = true
            guard bytes.count <= entry.size - offset else {
                try OpenFile.empty(descriptor, of: path)
                offset = 0
                throw entry.isNot(ofSize: "more than \(entry.size)")
            }
            try OpenFile.write(bytes, to: descriptor, at: offset, of: path)
            offset += Int64(bytes.count)
            return true
        } catch {
            refusal = error
            return false
        }
    }

    /// Decides at the first byte. What is already there is kept unless the server sends the whole file anew; a file of
    /// the wrong size is refused before that.
    private func accept() throws(ModelError) {
        if head.status == 206 {
            guard head.rangeStart == offset else {
                throw ModelError(.server, "The server sent another part of \(entry.file) than it was asked for.")
            }
            if let total = head.rangeTotal, total != entry.size { throw entry.isNot(ofSize: "\(total)") }
        } else {
            // "A server MAY ignore the Range header field" (RFC 9110, section 14.2): 200 is the file from its start.
            if let length = head.contentLength, length != entry.size { throw entry.isNot(ofSize: "\(length)") }
            if offset > 0 { try OpenFile.empty(descriptor, of: path) }
            offset = 0
            hasRestarted = true
        }
    }
}

extension CatalogEntry {
    /// The server offers a file of another size.
    func isNot(ofSize bytes: String) -> ModelError {
        ModelError(
            .mismatch,
            "The file offered for \(name) has \(bytes) bytes and the one the catalogue names has \(size): it is"
                + " another file. If you know a copy of the right one, bring it with --from.")
    }
}
