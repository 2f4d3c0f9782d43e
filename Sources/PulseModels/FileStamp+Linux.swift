#if os(Linux)
    import Foundation

    extension stat {
        var modifiedNanoseconds: Int64 {
            Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec)
        }
    }
#endif
