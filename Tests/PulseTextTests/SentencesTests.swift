import PulseText
import Testing

@Suite(.timeLimit(.minutes(20))) struct SentencesTests {
    /// Each text with `|` where one sentence ends and the next begins.
    @Test(arguments: texts + abbreviated + quoted)
    func boundaries(marked: String) {
        let expected = marked.split(separator: "|").map { trim(String($0)) }.filter { !$0.isEmpty }
        #expect(Sentences.split(marked.filter { $0 != "|" }) == expected)
        // The same however it arrives.
        var stream = SentenceStream()
        let elements = marked.filter { $0 != "|" }.flatMap { stream.add(String($0)) } + stream.finish()
        let ends = elements.compactMap { element -> String? in
            guard case .end(let sentence) = element else { return nil }
            return sentence
        }
        #expect(ends == expected)
    }

    static let texts: [String] = [
        "The council voted.| Work starts in May.",
        "One only",
        "No final stop| ",
        "Dr. Smith met Mr. Jones.| They spoke.",
        "The U.S. Senate voted.| It passed.",
        "It happened in the U.S.| The vote was close.",
        "Prices rose 3.5 percent.| Wages fell.",
        "He lives at No. 5 Hill Road.| She does not.",
        "She said no.| Nobody asked twice.",
        "The answer is No.| That was all.",
        "J. K. Rowe wrote it.| He read it.",
        "There is no plan B.| However, there is a plan C.",
        "It opens at 9 a.m. on Monday.| It closes at 5 p.m.| The park stays open.",
        "“It works.”| She left.",
        "“Why?” he asked.| Nobody knew.",
        "“Why?”| Nobody knew.",
        "Really?!| Yes!| Good.",
        "He paused... and went on.| Then he stopped…| Silence.",
        "(It rained.)| The match went on.",
        "See www.example.com for more.| Or call.",
        "1. First things first.| 2. Second things.",
        "On Jan. 3 it snowed.| In March it rained.",
        "O Sr. Silva chegou às 10h30.| Ninguém o viu.",
        "¿Cuándo llega?| Nadie lo sabe.| ¡Qué tarde!",
        "これは文です。|次の文です。", "「凍結に注意してほしい。」と担当者は述べた。|次の文です。", "他说：“我来。”|大家笑了！|真的？",
        "すごい！！|次の文です。", "真的？！|他走了。", "。。。|次の文です。", "「本当！！」と彼は言った。|次の文です。",
        "یہ جملہ ہے۔| کیا یہ ہے؟| جی ہاں۔", "ድልድይ ተከፍተዋል።|ሥራው ፈጅቷል።", "Կամուրջը բացվեց։| Բոլորը եկան։",
        "यह वाक्य है।| दूसरा वाक्य।",
        "هل وصل؟| نعم.",
        "The system is out.| iOS needs a restart.| eBay does not.",
        "He paused. and went on with his iPhone. quietly.",
        "He sold it on e.g. eBay for money.| macOS was on it.",
        "Am 19. November begann es, und im 3. Jahr des 20. Jahrhunderts endete es.| Der 1. FC verlor am 3. und 4. Mai.",
        "Es endete 1919.| Danach war Ruhe.", "I am 19.| He is 20.| The score was 19.| Play went on.",
        "« Nous sommes prêts. »| Il est parti.", "« Pourquoi ? » a-t-il demandé.| Personne ne savait.",
        "Il a dit : « Non ! »| MM. Lima et Mgr. Rey étaient là.", "Er kam.| »Gut«, sagte er.| Sie ging.",
        "Team A vs. Team B ended 2-1.| Fans cheered.",
        "A line\n|another line\n\n|a paragraph.",
    ]

    /// Stops that belong to words: names and titles, numbers, and what languages shorten.
    static let abbreviated: [String] = [
        "The bridge closed at 6 a.m.| Officers found it shut, from 9 p.m. Friday to 7 a.m. Eastern.| Nobody fell.",
        "France won Group C.| Orlen finished second.| Patients took vitamin C.| Doctors agreed, said J. Lima.",
        "El ayuntamiento de EE. UU. aprobó el plan del Sr. García.| El puerto abre.",
        "El alcalde viajó a EE. UU. Lima lo recibió.",
        "Viajó a EE. UU.| El alcalde lo recibió.| Los JJ. OO. de Orlen y CC. OO. Altamar.",
        "Trabaja en la Naviera S. A. Lima desde mayo.| La Naviera S. A.| El puerto cierra.",
        "La Dña. Ana, el Gral. Rey, la calle Sta. Cruz y el Lic. Lima votaron.| Nadie habló.",
        "Llegó a las 5 p. m. de ayer, a las 6 p. m.| Nadie lo vio.",
        "Fue en el año 44 a. C. en Altamar, y en el s. XX.| Nadie lo vio.",
        "Murió en el 50 a. C.| Arqueólogos lo hallaron.| Nel 50 a.C.| Archeologi di A.C. Altamar scavano.",
        "It fell in 500 B.C.| Archaeologists found B.C. Lima’s notes.| Eni S.p.A. (Eni) opens.| Lima S.p.A.| Operai aprono.",
        "Жил в 50 г. до н. э.| Археологи нашли вазы, чаши и т. д.| Покупатели ждут.",
        "O dep. João Silva, o min. Lima, o gov. Reis e a Cel. Dias aprovaram no séc. XX.| Durou 5 min.| Ninguém saiu.",
        "J.-L. Rey et M. N. Lima ont voté au 5, av. Foch et bd. Marne.| Ils restent.",
        "En 52 av. J.-C. Rome gagna.| Elle brûla en 60 apr. J.-C.| Les murs tinrent.",
        "The house (est. 1950) and c. 1900 were compared in Roe v. Lima for Lima Bros. Pictures.| Nobody knew.",
        "Es kostet z. B. 3,5 Mio. Euro, u. a. Berlin zahlt.| Danach war Ruhe.",
        "So sagt es Dr. med. Meier von Lima GmbH & Co. KG im Hafen.| Danach war Ruhe.",
        "Im Jahr 44 v. Chr. siegte Rom.| Im Jahr 45 n. Chr.| Forscher sagen: Die Stadt fiel.",
        "Il del sig. Rossi e il dott. Lima, l'on. Verdi e la dott.ssa Neri votano.| Nessuno parla.",
        "De dhr. Jansen, drs. Vos en mevr. Bos stemden bij ING.| Niemand sprak.",
        "Rada przy ul. Długiej, im. Jana, płk. Lima.| Nikt nie wie.",
        "На ул. Ленина в г. Москвы мэр решил в 2026 г.| Он ушёл.",
        "Byrådet vedtog planen d. 27. november kl. 10.| Hr. Lima og frk. Rey kom.",
        "قال د. أحمد إن الجسر مفتوح.| نعم.",
        "डॉ. शर्मा ने कहा।| पुल खुला है।",
        "Turkish Doç. Lima ve TP. Orlen.| Bitti.",
        "Elle lit une BD.| Personne ne parle.",
        "Orlen (pop. 27,000) agreed.| The mine (cap. 2 million t/yr.) reopened.| (It rained.| It was cold.)| He left.",
        "Orlen verkauft rd. 120.000, mind. 90, bzw. 80 Autos.| Lima (geb. Rey. Siehe unten) kam.| (Ja.)| Nein.",
        "TOLEDO, 16 Nov. (EUROPA PRESS) - El puerto abre.| Fue en nov.| (Nadie vino.)| Lima, 3 févr. (AFP) - Oui.",
        "He works at the CIA.| Nobody knew.| It shut on Nov. 3.",
        "At the min.| It was red.| Nobody said no.| Nobody came.| The plan is for men.| However, no.",
        "He scored in the U.S. Open.| A. B. Lima won.",
        "O Ten.-Cel. Lima falou.| Ninguém ouviu.",
        "Mr. A. Smith and Mrs. I. Lima left.| I stayed.",
        "Ing. Novák a sv. Jan, např. Brno.| Konec.",
        "Swedish t. ex. Volvo och bl. a. Saab.| Nu är det slut.",
    ]

    /// Sentences within a quotation, with its speaker before or after it, and where it stands alone; and apostrophes.
    static let quoted: [String] = [
        "“The harbour plan was approved. It is a great day,” said Ana Lee on Friday.| Work begins in May.",
        "Ana Lee said: “The plan was approved. It is a great day.”| Work begins in May.",
        "“The plan? We approved it,” said Ana Lee.| Work begins.",
        "“The plan is approved! Great!” said Ana Lee.| Work begins.",
        "\"The plan was approved. It is great,\" said Ana Lee.| \"Good.\"| She left.",
        "‘The plan was approved. It is a great day for the council,’ said Ana Lee.| Work begins.",
        "Ana Lee told the paper: ‘We approved the plan. It is great.’| Work begins.",
        "‘The guards’ pay was approved. It’s a great day,’ said Ana Lee.| Work begins.",
        "‘The plan was approved. It is a great day’, said Ana Lee.| Work begins.",
        "'The plan was approved. It's great,' said Ana Lee.| Work begins.",
        "The ‘great plans’ were approved.| The guards’, he said, are well paid.",
        "The dogs' owners came.| The cats' owners, she said, did not.",
        "In the ‘90s it rained.| The dogs’ owners said so.| Rock ’n’ roll.| It isn’t.",
        "«El plan se aprobó. Es un gran día», dijo Ana Lee.| Las obras empiezan.",
        "«O plano foi aprovado. É um grande dia», disse Ana Lee.| As obras começam.",
        "« Le plan a été adopté. C’est un grand jour », a déclaré Ana Lee.| Les travaux commencent.",
        "« Le plan a été adopté. C’est un grand jour. » a déclaré Ana Lee.| Les travaux commencent.",
        "Ana Lee dijo: «El plan se aprobó. Es un gran día».| Las obras empiezan.",
        "„Der Plan ist gut. Es ist ein großer Tag“, sagte Ana Lee.| Die Arbeit beginnt.",
        "»Der Plan ist gut. Es ist ein großer Tag«, sagte Ana Lee.| Die Arbeit beginnt.",
        "“We are ready.| We stay.”| The vote is on Monday.",
        "“One.| “Two.| “Three.| Nobody closed them.",
        "“It is open.| It was never closed.| She left.\n|“Next. One,” she said.",
        "「計画は承認された。良い日だ」と市長は述べた。|工事は五月に始まる。",
        "市長は「計画は承認された。良い日だ。」と述べた。|工事は五月に始まる。",
        "『计划获批。好日子。』他走了。",
        "市长说：“计划已批准。这是好日子。”|大桥建于1920年。|「好。」他说。",
        "He is 6' 2\" tall.| She is 5' 4\" tall.| They met.",
        "Ana Lee said: “The plan was approved. It is a great day.”",
        "他说：「计划获批。好日子。」",
        "“We won,” she said.| “We stay.| We go.”| The end.",
        "„Der Plan ist gut.“| Er ging.",
        "Lima sagte: „Der \"Plan\" ist gut. Es ist ein großer Tag.\"| Er ging.",
        "Sie sagte: „Der Plan ist gut. Er bleibt.“| Dann ging sie.",
        "»Der Plan ist gut.«| Er ging.",
        "Il a dit.| « Non. Oui », répond-elle.",
    ]

    @Test(arguments: [
        "It rained.", "„Er bleibt.“", "Why?”", "（終わり。）", "ہے۔", "है।", "ተከፍተዋል።", "นายกรัฐมนตรีเปิดสะพาน", "ນາຍົກ",
    ])
    func whatIsClosed(text: String) { #expect(Sentences.isClosed(text)) }

    @Test(arguments: ["", "It rained", "東京で橋が", "Городской совет", "It rained,"])
    func whatIsOpen(text: String) { #expect(!Sentences.isClosed(text)) }

    @Test(arguments: ["", " ", "\n\n", "\t \u{a0}"])
    func nothing(text: String) { #expect(Sentences.split(text).isEmpty) }

    @Test(arguments: [
        "A. B! C? d… \"E.\" (F) no. 5\nG", "....", "?!", "\"", "a.b.c", "...a", "  x  ", "👩‍👩‍👧. 🇵🇹! e\u{301}.",
    ])
    func everyCharacterButSpaceIsInOneSentence(text: String) {
        let ranges = Sentences.ranges(in: text)
        for (left, right) in zip(ranges, ranges.dropFirst()) { #expect(left.upperBound <= right.lowerBound) }
        #expect(
            ranges.map { String(text[$0]) }.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }

    private func trim(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
