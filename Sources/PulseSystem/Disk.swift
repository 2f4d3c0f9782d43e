import Foundation

/// What the disk has room for.
public enum Disk {
    /// Bytes that are free for this user on the disk of a file or folder; nil where the system does not tell. POSIX
    /// statvfs: f_bavail is the number of free blocks "available to non-privileged process", in units of f_frsize.
    public static func freeSpace(in path: String) -> Int64? {
        var info = statvfs()
        guard statvfs(path, &info) == 0 else { return nil }
        let (bytes, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}
