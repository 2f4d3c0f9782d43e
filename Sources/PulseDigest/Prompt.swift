/// What is asked of a model: the rules, and the material.
public struct Prompt: Sendable, Hashable {
    public let system: String
    public let user: String

    public init(system: String, user: String) {
        self.system = system
        self.user = user
    }
}
