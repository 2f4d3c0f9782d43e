#if canImport(Darwin)
    import Foundation

    /// posix_spawn's types are pointers here.
    func emptySpawnActions() -> posix_spawn_file_actions_t? { nil }
    func emptySpawnAttributes() -> posix_spawnattr_t? { nil }
#endif
