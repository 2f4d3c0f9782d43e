#if os(Linux)
    import Foundation

    /// Runs `body` without root's right to open everything, so that a test of permissions can fail wherever it runs.
    ///
    /// setfsuid(2): "the effective user ID [...] used for file system access checks", of the calling thread alone; a
    /// synchronous test stays on its thread. Leaving 0 also drops the capability that overrides permissions.
    func asOrdinaryUser<Result>(_ body: () throws -> Result) throws -> Result {
        typealias SetFSUID = @convention(c) (UInt32) -> Int32
        guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return try body() }
        let setfsuid = unsafeBitCast(symbol, to: SetFSUID.self)
        _ = setfsuid(65_534)
        defer { _ = setfsuid(0) }
        return try body()
    }
#endif
