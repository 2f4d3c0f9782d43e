struct Importer {
    let context: Context
    func jsonLines(_ path: String) throws(Failure) {}
    func newsboat(_ path: String?) throws(Failure) {}
}
