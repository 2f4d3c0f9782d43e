#if canImport(Darwin)
    /// Tests on macOS run as an ordinary user.
    func asOrdinaryUser<Result>(_ body: () throws -> Result) throws -> Result { try body() }
#endif
