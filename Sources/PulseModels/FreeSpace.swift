import Foundation

/// How much this user may still write in a folder.
enum FreeSpace {
    /// Bytes, or nil where the file system does not say. POSIX statvfs: f_bavail is the number of free blocks
    /// "available to non-privileged process", in units of f_frsize.
    static func bytes(in folder: String) -> Int64? {
        var info = statvfs()
        guard statvfs(folder, &info) == 0 else { return nil }
        let (bytes, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}
