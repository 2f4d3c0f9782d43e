import PulseRendering

extension Value {
    static func address(_ values: [String]) throws(InvalidValue) -> MailAddress {
        let text = try text(values)
        do {
            return try MailAddress(text)
        } catch {
            throw InvalidValue(error.message)
        }
    }

    /// All that are given; each value is an address, or several with commas between.
    static func addresses(_ values: [String]) throws(InvalidValue) -> [MailAddress] {
        var addresses: [MailAddress] = []
        for value in values {
            do {
                addresses += try MailAddress.list(value)
            } catch {
                throw InvalidValue(error.message)
            }
        }
        return addresses
    }
}
