public enum Release {
    public static let version = "0.2.0"
    /// The release date, for the manual page.
    public static let date = "2026-11-27"
}
