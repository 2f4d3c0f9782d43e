import PulseCore
import PulseRendering

/// What is said about the mail, in the reader's language. Why something failed stays English: see `Messages`.
struct MailMessages: Sendable {
    let handedOver: @Sendable (_ messages: Int) -> String
    let sentBefore: @Sendable (_ names: String) -> String
    /// So many messages that nobody took are too old now.
    let dropped: @Sendable (_ digests: Int) -> String
    /// The subject of a mail that comes in the digest's place.
    let noDigest: String
    let nightsInARow: @Sendable (Int) -> String
    let toldOnce: String

    init(_ language: Language) {
        switch language {
        case .english: self = .english
        case .portuguese, .europeanPortuguese: self = .portuguese
        case .spanish: self = .spanish
        }
    }

    private init(
        handedOver: @escaping @Sendable (Int) -> String, sentBefore: @escaping @Sendable (String) -> String,
        dropped: @escaping @Sendable (Int) -> String, noDigest: String,
        nightsInARow: @escaping @Sendable (Int) -> String, toldOnce: String
    ) {
        self.handedOver = handedOver
        self.sentBefore = sentBefore
        self.dropped = dropped
        self.noDigest = noDigest
        self.nightsInARow = nightsInARow
        self.toldOnce = toldOnce
    }

    private static let english = MailMessages(
        handedOver: { "Handed over: \(Counted.text($0, "message", "messages"))." },
        sentBefore: { "Today's digest was sent to \($0) before. To send it again: --again" },
        dropped: { "\(Counted.text($0, "old digest", "old digests")) that nobody took will not be sent." },
        noDigest: "pulse-digest: there is no digest today",
        nightsInARow: { "This was night \($0) in a row that failed." },
        toldOnce: "As long as the cause is the same, this is told once a week. Every run: pulse-digest schedule log")

    private static let portuguese = MailMessages(
        handedOver: { $0 == 1 ? "Entregue: 1 mensagem." : "Entregues: \($0) mensagens." },
        sentBefore: { "O resumo de hoje já foi enviado a \($0). Para enviá-lo de novo: --again" },
        dropped: {
            $0 == 1
                ? "1 resumo antigo que ninguém aceitou não será enviado."
                : "\($0) resumos antigos que ninguém aceitou não serão enviados."
        },
        noDigest: "pulse-digest: hoje não há resumo",
        nightsInARow: { "Esta foi a \($0).ª noite seguida com falha." },
        toldOnce:
            "Enquanto a causa for a mesma, isto é dito uma vez por semana. Todas as execuções: pulse-digest schedule log"
    )

    private static let spanish = MailMessages(
        handedOver: { $0 == 1 ? "Entregado: 1 mensaje." : "Entregados: \($0) mensajes." },
        sentBefore: { "El resumen de hoy ya se envió a \($0). Para enviarlo de nuevo: --again" },
        dropped: {
            $0 == 1
                ? "1 resumen antiguo que nadie aceptó no se enviará."
                : "\($0) resúmenes antiguos que nadie aceptó no se enviarán."
        },
        noDigest: "pulse-digest: hoy no hay resumen",
        nightsInARow: { "Esta fue la \($0).ª noche seguida con fallos." },
        toldOnce:
            "Mientras la causa sea la misma, esto se dice una vez por semana. Todas las ejecuciones: pulse-digest schedule log"
    )
}
