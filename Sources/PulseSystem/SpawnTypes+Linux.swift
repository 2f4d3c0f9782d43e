#if os(Linux)
    import Foundation

    /// posix_spawn's types are structures here.
    func emptySpawnActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
    func emptySpawnAttributes() -> posix_spawnattr_t { posix_spawnattr_t() }
#endif
