/// Which release of the program this is.
public enum Release {
    public static let version = "0.1.0"
    /// The day of it, for the manual page.
    public static let date = "2026-11-23"
}
