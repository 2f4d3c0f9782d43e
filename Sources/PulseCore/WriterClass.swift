/// How far a model's sentences can be trusted before they are checked: what was published about how often it says
/// something that its text does not bear out.
public enum WriterClass: String, Sendable {
    /// It errs in few sentences of a hundred.
    case strong
    case unknown
    /// Less than 500 million parameters: half of what it says may be wrong.
    case small
}
