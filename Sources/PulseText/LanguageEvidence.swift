/// The commonest words of each language, and what each of them is evidence of.
enum SmallWords {
    /// A word of one language alone counts 1 for it; of several, its parts: “de” says little, “não” says all.
    static let evidence: [String: [(Tongue, Double)]] = {
        var owners: [String: [Tongue]] = [:]
        for tongue in Tongue.allCases {
            for word in Set(words(of: tongue).split(whereSeparator: \.isWhitespace)) {
                owners[String(word), default: []].append(tongue)
            }
        }
        return owners.mapValues { tongues in
            let all = tongues.map(weight).reduce(0, +)
            return tongues.map { ($0, weight(of: $0) / all) }
        }
    }()

    /// A word that Galician or Catalan shares with a large neighbour is more likely the neighbour's.
    private static func weight(of tongue: Tongue) -> Double { tongue == .galician || tongue == .catalan ? 0.5 : 1 }

    /// Function words, in lower case; an apostrophe ends a word.
    private static func words(of tongue: Tongue) -> String {
        switch tongue {
        case .english:
            """
            the of and to in a is that for it was on are as with his they at be this from have or by one had not but
            what all were when we there can an your which their said if do will each about how up out them then she
            many some so these would other into has more her two him see could no than been its who now people over
            after before between because through where while during against such only also new says first year years
            """
        case .portuguese:
            """
            o a os as de do da dos das em no na nos nas um uma e é que não se por para com como mais mas foi ser são
            está ao aos à às pelo pela pelos pelas ele ela eles seu sua seus suas já também só até quando muito muita
            há depois ainda entre sobre sem ou tem têm era isso este esta esse essa foram pode anos ano diz segundo
            num numa dois duas contra após onde você nem outro outra outros mesmo disse estão será havia porque
            """
        case .spanish:
            """
            el la los las de del en un una unos unas y e que no se por para con como más pero fue ser son está al lo
            le les su sus ya también solo sólo hasta cuando muy hay después aún entre sobre sin o tiene tienen era eso
            este esta ese esa fueron puede años año dice según dos contra tras donde usted ni otro otra otros mismo
            dijo están será había porque desde ha han es él ella ellos nos mientras hoy
            """
        case .french:
            """
            le la les de des du un une et est que qui ne pas se par pour avec comme plus mais sont était au aux à ce
            cette ces son sa ses leur leurs il elle ils elles nous vous on en dans sur sous sans ou où a ont été être
            deux après avant entre contre aussi très fait selon depuis même tout tous y dont lors ainsi d l qu n
            """
        case .german:
            """
            der die das den dem des ein eine einen einem einer und ist in zu mit von für auf im am an nicht sich auch
            als aus bei nach wie noch nur oder aber wird werden wurde wurden war sind hat haben er sie es wir ich dass
            über vor durch um zum zur bis mehr gegen unter zwischen wenn sein seine ihre kann schon zwei jahr jahre
            """
        case .italian:
            """
            il lo la i gli le di del dello della dei degli delle a al allo alla ai agli alle da dal dalla in nel nella
            nei nelle con su sul sulla per tra un uno una e è che non si come più ma sono era stato stata ha hanno
            anche suo sua suoi loro questo questa essere dopo prima ancora solo due anni anno quando ci se o ed l
            """
        case .dutch:
            """
            de het een en van in is dat op te zijn met voor niet aan er om ook als maar bij uit nog naar dan of door
            over tot wordt worden werd werden was waren heeft hebben hij zij ze wij we ik hun haar deze dit die geen
            meer kan kunnen tegen onder tussen twee jaar al wel na moet moeten zich
            """
        case .catalan:
            """
            el la els les de del dels en un una uns unes i que no es per amb com més però va ser són està al als ho li
            seu seva seus ja també només fins quan molt hi ha després encara entre sobre sense o té tenen era això
            aquest aquesta aquests van pot anys any diu segons dos dues contra on ni altre altra mateix des l d s n
            """
        case .galician:
            """
            o a os as de do da dos das en no na nos nas un unha e é que non se por para con como máis pero foi ser son
            está ao aos á ás polo pola polos el ela eles seu súa seus súas xa tamén só ata cando moi hai despois aínda
            entre sobre sen ou ten teñen era este esta ese foron pode anos ano dixo segundo dous dúas contra onde
            """
        case .romanian:
            """
            de și în la a cu pe nu că este sunt din pentru un o mai care se să au fost fi ce ca dar sau după până prin
            lui ei lor al ale cei cea cel iar ar va vor această acest doi ani anul când între despre fără
            """
        case .swedish:
            """
            och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när
            man efter upp vid ska eller också nu mot under mellan över år två hade blir bli hon deras detta vara
            """
        case .danish:
            """
            og i at det som en på er af for med til den har de ikke om et han men var jeg sig fra vi så kan når man
            efter op ved skal eller også nu mod under mellem over år to havde bliver blive hun deres dette være å ble
            """
        case .polish:
            """
            i w na z do się nie to że jest o jak ale po co od za przez dla są był była było być już tylko czy lub oraz
            który która które tego jego jej ich lat roku dwa po przed między także może
            """
        case .vietnamese:
            """
            và của là không được có cho trong một những người các để với đã này khi từ đến năm như sẽ ra vào
            """
        }
    }
}

/// Letters and endings that are typical of one language and not of its neighbours.
enum Spellings {
    /// What the spelling of one word, in lower case, is evidence of.
    static func evidence(of word: String) -> [(Tongue, Double)] {
        var found: [(Tongue, Double)] = []
        for scalar in word.unicodeScalars where scalar.value > 0x7f {
            if ("\u{1ea0}"..."\u{1ef9}").contains(scalar) { found.append((.vietnamese, 0.8)) }
            if let tongues = letters[scalar] { found += tongues.map { ($0, 0.8 / Double(tongues.count)) } }
        }
        guard word.utf8.count >= 4 else { return found }
        for length in endingLengths {
            guard let tongues = endings[word.suffix(length)] else { continue }
            found += tongues.map { ($0, 0.7 / Double(tongues.count)) }
        }
        // Each counts once a word.
        var seen: [UInt32] = []
        var (last, pair): (UInt32, UInt32) = (0, 0)
        for byte in word.utf8 {
            for part in [last << 8 | UInt32(byte), pair << 8 | UInt32(byte)] where !seen.contains(part) {
                guard let tongues = inside[part] else { continue }
                seen.append(part)
                found += tongues.map { ($0, 0.3 / Double(tongues.count)) }
            }
            pair = last << 8 | UInt32(byte)
            last = UInt32(byte)
        }
        return found
    }

    private static let letters: [Unicode.Scalar: [Tongue]] = [
        "ã": [.portuguese], "õ": [.portuguese], "â": [.portuguese, .french, .romanian], "ê": [.portuguese, .french],
        "ñ": [.spanish, .galician], "ß": [.german], "ä": [.german, .swedish], "ö": [.german, .swedish],
        "ü": [.german], "å": [.swedish, .danish], "ø": [.danish], "æ": [.danish], "ș": [.romanian], "ț": [.romanian],
        "ă": [.romanian], "ş": [.romanian], "ţ": [.romanian], "î": [.romanian, .french], "ł": [.polish],
        "đ": [.vietnamese], "ư": [.vietnamese], "ż": [.polish],
        "ź": [.polish], "ś": [.polish], "ć": [.polish], "ą": [.polish], "ę": [.polish], "ń": [.polish],
        "ŀ": [.catalan], "œ": [.french], "û": [.french], "ù": [.french, .italian], "ì": [.italian],
        "ò": [.italian, .catalan], "è": [.french, .italian, .catalan], "ç": [.portuguese, .french, .catalan],
        "à": [.portuguese, .french, .italian, .catalan],
    ]

    private static let endings: [Substring: [Tongue]] = [
        "ção": [.portuguese], "ções": [.portuguese], "são": [.portuguese], "ões": [.portuguese],
        "agem": [.portuguese], "eiro": [.portuguese, .galician], "eira": [.portuguese, .galician],
        "ción": [.spanish, .galician], "ciones": [.spanish], "sión": [.spanish, .galician], "idad": [.spanish],
        "ó": [.spanish, .catalan], "aron": [.spanish, .galician], "ieron": [.spanish], "miento": [.spanish],
        "ció": [.catalan], "cions": [.catalan], "itat": [.catalan], "cións": [.galician],
        "dade": [.portuguese, .galician],
        "zione": [.italian], "zioni": [.italian], "ità": [.italian],
        "mente": [.portuguese, .spanish, .italian],
        "tion": [.english, .french], "tions": [.english, .french], "ing": [.english], "ness": [.english],
        "ight": [.english], "ould": [.english], "aient": [.french], "eux": [.french], "ement": [.french],
        "ung": [.german], "ungen": [.german], "keit": [.german], "lich": [.german], "isch": [.german],
        "heid": [.dutch], "lijk": [.dutch], "ingen": [.dutch, .swedish, .danish], "ului": [.romanian],
        "ować": [.polish], "ego": [.polish],
    ]

    private static let endingLengths = Set(endings.keys.map(\.count))

    /// Two or three letters of ASCII each, packed into a number: the first in the highest byte.
    private static let inside: [UInt32: [Tongue]] = Dictionary(
        uniqueKeysWithValues: parts.map { part, tongues in (part.utf8.reduce(0) { $0 << 8 | UInt32($1) }, tongues) })

    private static let parts: [String: [Tongue]] = [
        "lh": [.portuguese], "nh": [.portuguese], "sch": [.german, .dutch], "ij": [.dutch], "aa": [.dutch],
        "sz": [.polish], "cz": [.polish], "rz": [.polish], "ny": [.catalan], "gli": [.italian],
        "th": [.english], "wh": [.english], "uei": [.portuguese], "uie": [.spanish], "ue": [.spanish],
    ]
}
