/// What a schedule runs: a program by its absolute path, its options, and what it needs of the environment it was
/// installed from. A schedule starts it with next to none.
public struct ScheduledCommand: Sendable, Hashable {
    public struct Variable: Sendable, Hashable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public let program: String
    public let arguments: [String]
    public let environment: [Variable]

    public init(program: String, arguments: [String], environment: [Variable]) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
    }
}
