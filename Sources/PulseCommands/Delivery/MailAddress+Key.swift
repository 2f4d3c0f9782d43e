import PulseRendering

extension MailAddress {
    /// What tells two addresses apart. Upper and lower case are the same wherever mail is delivered.
    var key: String { address.lowercased() }
}
