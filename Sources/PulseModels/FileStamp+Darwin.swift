#if canImport(Darwin)
    import Foundation

    extension stat {
        var modifiedNanoseconds: Int64 {
            Int64(st_mtimespec.tv_sec) * 1_000_000_000 + Int64(st_mtimespec.tv_nsec)
        }
    }
#endif
