import Foundation

/// How much of a disk files take, in bytes.
package enum FileSizes {
    /// Nil where there is no such file.
    package static func size(ofFile path: String) -> Int64? {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.int64Value
    }

    /// Of all files below a folder; 0 where there is none.
    package static func size(ofFolder path: String) -> Int64 {
        guard let files = FileManager.default.enumerator(atPath: path) else { return 0 }
        return files.reduce(into: Int64(0)) { sum, name in
            guard let name = name as? String, files.fileAttributes?[.type] as? FileAttributeType == .typeRegular else {
                return
            }
            sum += size(ofFile: "\(path)/\(name)") ?? 0
        }
    }
}
