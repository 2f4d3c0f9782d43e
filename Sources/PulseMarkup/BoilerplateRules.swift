/// What is not part of a story, in English, Portuguese and Spanish. Each rule is a class of sentences, recognised by
/// the words they begin with and, where those are too common, by words of which they hold at least one.
struct BoilerplateRules {
    enum Place {
        /// A line of its own.
        case line
        /// A line of its own, or the end of the text.
        case tail
        /// A sentence anywhere.
        case sentence
        /// A sentence anywhere, also in titles.
        case order
        /// From the sentence to the end of its line.
        case rest
        /// From the beginning of the text up to the last of the words it needs.
        case front
        /// From the sentence to the end of the text.
        case paywall
        /// A line of its own and, where that ends with a colon, what it announces.
        case offer
    }

    let place: Place
    /// The most words a match may have.
    let most: Int
    let fronts: [[UInt8]]
    let needs: [[UInt8]]

    private init(_ place: Place, most: Int, _ fronts: String, needs: String = "") {
        self.place = place
        self.most = most
        self.fronts = BoilerplateRules.phrases(fronts).map { Array($0.utf8) }
        self.needs = BoilerplateRules.phrases(needs).map { Array($0.utf8) }
    }

    /// In bytes. Less than this after a paywall is about its price; more is a story that goes on.
    static let longestOffer = 1000

    private static let all = [
        // Where the whole text is.
        BoilerplateRules(
            .tail, most: 25,
            """
            continue reading|keep reading|read the full|read the rest|read the whole|read the entire|read the original
            read the complete|read full|read more:|read also|also read|see also|related:|related story|full story
            to read the full|to read the rest|to read this article|to read more|click here|click to read
            view the full|view the original|view this post|view this article|see more at|originally published
            continue lendo|continuar lendo|continue a ler|continuar a ler|leia mais:|leia também|leia ainda
            leia a matéria|leia a íntegra|leia na íntegra|leia o artigo|veja também|veja mais|saiba mais|confira também
            clique aqui|ler mais:|seguir leyendo|sigue leyendo|siga leyendo|continuar leyendo|continúa leyendo
            lea también|lea más|lee también|lee más|lee la noticia|lea la nota|leer más:|leer también|leer la noticia
            haz clic aquí|haga clic aquí|te puede interesar|también te puede interesar
            """),
        BoilerplateRules(
            .tail, most: 8,
            """
            read more|read on|leia mais|ler mais|leer más|ver más|ver mais|leave a comment|post a comment
            join the conversation|join the discussion|comments are closed|deixe um comentário|deixe seu comentário
            deja un comentario|deja tu comentario|share this|share on|share:|compartilhe|partilhe|comparte|compartir
            follow us|follow me on|siga-nos|síguenos|download our app|get the app|baixe o app|baixe nosso app
            descarga nuestra app|article continues|story continues|also on|previously on|more from|continua após a publicidade|sigue tras la publicidad
            """),
        BoilerplateRules(.rest, most: 80, "the post ", needs: " appeared first on "),
        BoilerplateRules(
            .rest, most: 80, "o post |o conteúdo |o artigo ",
            needs: " apareceu primeiro em | aparece primeiro em | apareceu primeiro no "),
        BoilerplateRules(
            .rest, most: 80, "la entrada |el artículo |el post ", needs: " se publicó primero en | aparece primero en "),
        // What arXiv, Hacker News, Reddit and sponsors put around a text.
        BoilerplateRules(.front, most: 1000, "arxiv:", needs: "abstract:"),
        BoilerplateRules(.rest, most: 30, "article url:", needs: "comments url:"),
        BoilerplateRules(.line, most: 3, "article url:|comments url:|points:|comments:"),
        BoilerplateRules(.tail, most: 8, "submitted by /u/|submitted by u/"),
        BoilerplateRules(
            .offer, most: 8,
            "sponsored by|sponsored content|sponsored post|presented by|brought to you by|patrocinado por|oferecido por"
        ),
        BoilerplateRules(
            .offer, most: 25,
            """
            this episode|this post|this article|this newsletter|this week|today|our sponsor|thanks to our
            a message from|a word from|conteúdo|contenido|este episódio|este episodio|este post|este artigo
            """, needs: "sponsor|brought to you by|patrocin|publicitári"),
        BoilerplateRules(
            .line, most: 40, "a version of this article appears in print|a version of this article appeared in"),
        BoilerplateRules(
            .line, most: 30,
            """
            photo:|photos:|photo by|photo credit|photo courtesy|photograph:|photograph by|image:|images:|image credit
            image courtesy|image source|image by|picture:|credit:|caption:|file photo|file image|foto:|fotos:|foto de arquivo
            foto de archivo|crédito:|créditos:|crédito da|imagem:|imagens:|imagem de arquivo|imagen:|imágenes:
            imagen de archivo|fotografia:|fotografía:|legenda:|reprodução/|divulgação/|getty images|ap photo|reuters/
            """),
        // What the reader is asked to do: subscribe, allow advertisements, pay.
        BoilerplateRules(
            .sentence, most: 30,
            """
            sign up|subscribe|get|join|receive|register|want more|enjoying|like what|inscreva-se|inscreva|assine
            cadastre-se|receba|quer receber|suscríbete|suscríbase|apúntate|regístrate|recibe|reciba|quieres recibir
            """,
            needs: """
                newsletter|inbox|mailing list|email updates|email alerts|daily email|weekly email|boletim|boletín|seu e-mail
                seu email|tu correo|su correo|tu email|canal do whatsapp|canal de whatsapp|youtube channel
                """),
        BoilerplateRules(
            .sentence, most: 40,
            """
            please|disable|turn off|it looks like you|looks like you|it seems you|we noticed|we've detected|we’ve detected
            we have detected|we see|you are using|you're using|you’re using|your browser|por favor|desative|parece que
            notamos|detectamos|percebemos|você está usando|desactiva|desactive|hemos detectado|estás usando|usted está
            """,
            needs: "ad blocker|ad-blocker|adblock|ad blocking|bloqueador de an|bloqueador de pub|enable javascript"),
        BoilerplateRules(
            .paywall, most: 400,
            """
            subscribe to continue|subscribe to read|subscribe now to|subscribe to unlock|subscribe for full
            to continue reading|this article is for subscribers|this article is for paid|this content is for subscribers
            this article is exclusive|this content is exclusive|this story is exclusive|this post is for paid
            this post is for subscribers|already a subscriber?|already a member?|already have an account?
            sign in to continue|sign in to read|log in to continue|log in to read|register to continue|register to read
            create a free account to|you have reached your|you've reached your|you’ve reached your|become a member to
            start your free trial|assine para continuar|assine para ler|assine e continue|para continuar lendo
            conteúdo exclusivo para assinantes|este conteúdo é exclusivo|esta matéria é exclusiva|exclusivo para assinantes
            já é assinante?|já sou assinante|faça login para|cadastre-se para continuar|cadastre-se para ler
            suscríbete para|suscríbase para|para seguir leyendo|para continuar leyendo|exclusivo para suscriptores
            contenido exclusivo para suscriptores|este contenido es exclusivo|este artículo es exclusivo|ya eres suscriptor?
            ya es suscriptor?|inicia sesión para|regístrate para seguir|regístrate para continuar
            """),
        // What a language model is told to do, and what one has answered.
        BoilerplateRules(
            .order, most: 100,
            """
            ignore|disregard|forget|override|bypass|do not follow|don't follow|stop following|ignora|ignorem|ignoren
            desconsidere|desconsidera|esqueça|esquece|olvida|olvide|olviden|descarta|descarte
            """,
            needs: """
                previous instruct|prior instruct|above instruct|earlier instruct|preceding instruct|all instruct
                your instruct|system instruct|any instruct|these instruct|original instruct|previous prompt|system prompt
                your prompt|your rules|previous rules|your guidelines|previous direct|prior direct|previous command
                your training|your programming|the above|everything above|anything above|instruções anteriores
                instruções acima|instruções prévias|todas as instruções|suas instruções|as regras|o texto acima|o acima
                tudo acima|instrucciones anteriores|instrucciones previas|todas las instrucciones|tus instrucciones
                sus instrucciones|las reglas|tus reglas|lo anterior|prompt
                """),
        BoilerplateRules(
            .order, most: 100,
            """
            you are now|you're now|you’re now|from now on you|from now on, you|você agora|agora você|a partir de agora
            ahora eres|eres ahora|a partir de ahora|de ahora en adelante
            """,
            needs: """
                now a |now an |now in |now my |now called|now acting|no longer|bot|assistant|on you |on, you |você é um
                agora é um|você será|você vai|eres un |eres una |eres un|actúa|assistente|asistente
                """),
        BoilerplateRules(
            .order, most: 100,
            """
            system:|system prompt:|system message:|assistant:|developer:|sistema:|assistente:|asistente:|new instructions:
            novas instruções:|nuevas instrucciones:
            """,
            needs: """
                you|ignore|disregard|reply|respond|answer|output|print|reveal|write| say |prompt|instruc|você|sua|seus
                responda|escreva|diga|ignor|eres| tu |tus|responde|escribe
                """),
        BoilerplateRules(
            .order, most: 100,
            """
            as an ai|as a large language model|as a language model|i am an ai|i'm an ai|i’m an ai|i am a large language
            i'm sorry, but as an ai|sorry, as an ai|sorry, but as an ai|como um modelo de linguagem|como modelo de linguagem
            como uma ia|como uma inteligência artificial|sou um modelo de linguagem|como modelo de lenguaje
            como un modelo de lenguaje|como una ia|como una inteligencia artificial|soy un modelo de lenguaje
            """,
            needs: " i | i'm | i’m |i am | my | eu |não posso|não tenho|não consigo|sou | yo |no puedo|no tengo|soy "),
        BoilerplateRules(
            .order, most: 60,
            """
            reply|respond|answer|output|print|write|say|reveal|repeat|show|responda|responde|escreva|escreve|diga
            imprima|revele|mostre|repita|escribe|imprime|muestra|revela
            """,
            needs: """
                reply only|respond only|answer only|output only|only with|with only|only the word|with the word|system prompt
                your prompt|your instructions|nothing else|prompt do sistema|suas instruções|apenas com|apenas a palavra
                somente com|só com a|escreva apenas|responda apenas|solo con|sólo con|solamente con|solo la palabra
                la palabra|prompt del sistema|tus instrucciones
                """),
        BoilerplateRules(
            .order, most: 100,
            """
            if you are an ai|if you're an ai|if you are a language model|if you are a large|if you are an llm
            if you are an assistant|note to ai|note to llm|note to language models|dear ai|ai assistants reading
            se você é um modelo|se você é uma ia|se é um modelo|si eres un modelo|si eres una ia|si eres un asistente
            pretend you are an ai|pretend that you are an ai|finja que você é|finge que eres
            """),
    ]

    // MARK: - Fronts

    /// Words that may stand before the first word of a rule.
    private static let fillers = phrases(
        "please|important|now|attention|note|hey|ok|and|warning|por favor|importante|atenção|atención|ai|assistant"
    ).map { Array($0.utf8) }

    private static let byKey: [UInt64: [(front: [UInt8], rule: BoilerplateRules)]] = Dictionary(
        grouping: all.flatMap { rule in rule.fronts.map { (front: $0, rule: rule) } }
    ) { entry in entry.front.withUnsafeBufferPointer { key($0, at: 0) } }

    private static let fillerKeys = Set(fillers.map { $0.withUnsafeBufferPointer { key($0, at: 0) } })

    /// The rules whose first words stand at an index, perhaps after fillers.
    static func rules(
        forFrontAt start: Int, of bytes: UnsafeBufferPointer<UInt8>, upTo end: Int
    ) -> [BoilerplateRules] {
        var start = start
        var rules: [BoilerplateRules] = []
        while start < end {
            let key = key(bytes, at: start)
            let text = bytes[start..<end]
            if let entries = byKey[key] { rules += entries.filter { begins(text, with: $0.front) }.map(\.rule) }
            guard fillerKeys.contains(key) else { return rules }
            let filler = fillers.first { begins(text, with: $0) }
            guard let filler else { return rules }
            start += filler.count
            while start < end, !isWordByte(bytes[start]) { start += 1 }
        }
        return rules
    }

    /// Whether a stretch of the text is short enough for the rule and has one of the words that it needs.
    func fits(_ stretch: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard stretch.count <= most * 40, stretch.reduce(1, { $0 + ($1 == 0x20 ? 1 : 0) }) <= most else { return false }
        return needs.isEmpty || end(in: stretch) != nil
    }

    /// The index after the first of the words that the rule needs.
    func end(in stretch: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        for index in stretch.indices {
            let byte = BoilerplateRules.lower(stretch[index], after: 0)
            for need in needs
            where need[0] == byte && BoilerplateRules.begins(stretch[index...], with: need, isWhole: false) {
                return index + need.count
            }
        }
        return nil
    }

    /// The first eight bytes of a word, in lower case.
    private static func key(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt64 {
        var key: UInt64 = 0
        var index = start
        while index < bytes.count, index < start + 8, isWordByte(bytes[index]) {
            key = key << 8 | UInt64(lower(bytes[index], after: index > start ? bytes[index - 1] : 0))
            index += 1
        }
        return key
    }

    /// Whether a text begins with a phrase, in any case.
    /// - Parameter isWhole: whether the phrase's last word must end there.
    private static func begins(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, with phrase: [UInt8], isWhole: Bool = true
    ) -> Bool {
        guard text.count >= phrase.count else { return false }
        var last: UInt8 = 0
        for (offset, byte) in phrase.enumerated() {
            let own = text[text.startIndex + offset]
            guard lower(own, after: last) == byte else { return false }
            last = own
        }
        guard isWhole, text.count > phrase.count, let end = phrase.last, isWordByte(end) else { return true }
        return !isWordByte(text[text.startIndex + phrase.count])
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7a ~= byte | 0x20 }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        0x61...0x7a ~= byte | 0x20 || 0x30...0x39 ~= byte || byte >= 0x80
    }

    /// The lower case of a byte of UTF-8, for ASCII and Latin-1.
    private static func lower(_ byte: UInt8, after last: UInt8) -> UInt8 {
        0x41...0x5a ~= byte || (last == 0xc3 && 0x80...0x9e ~= byte) ? byte | 0x20 : byte
    }

    // MARK: - Whole lines

    /// Whether a line is not text: only punctuation, a row of buttons, or the words under a picture.
    /// - Parameter isWhole: whether there is no other line; then punctuation, such as an emoticon, may be the text.
    static func isNoText(_ line: Slice<UnsafeBufferPointer<UInt8>>, isWhole: Bool) -> Bool {
        guard line.count <= 400 else { return false }
        for index in line.indices where line[index] == UInt8(ascii: "(") || line[index] == UInt8(ascii: "/") {
            if credits.contains(where: { begins(line[index...], with: $0) }) { return true }
            guard line.count <= 120, index > line.startIndex, line[index - 1] == 0x20 else { continue }
            if positions.contains(where: { begins(line[index...], with: $0) }) { return true }
        }
        let first = key(UnsafeBufferPointer(rebasing: line), at: 0)
        guard line.count <= 120, buttonKeys.contains(first) || !(line.first.map(isLetter) ?? false) || line.count < 9
        else { return false }
        let text = String(decoding: line, as: UTF8.self).lowercased()
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }
        // Stars and horizontal rules, but not a line of code.
        if words.allSatisfy({ $0 == "-" }) {
            return !isWhole && text.allSatisfy { !$0.isASCII || "*-_~=. ".contains($0) }
        }
        let named = words.filter { $0.contains(where: \.isLetter) }
        guard let only = named.first, named.allSatisfy({ buttons.contains(String($0)) }) else { return false }
        return named.count > 1 || loneButtons.contains(String(only))
    }

    static func isBracket(_ inside: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let text = String(decoding: inside, as: UTF8.self).lowercased()
        return brackets.contains(text) || (text.hasPrefix("+") && text.hasSuffix("chars"))
    }

    private static let brackets = Set(
        phrases(
            """
            …|...|link|comments|comentários|comentarios|read more|more|more…|more...|continue reading|leia mais|ler mais
            leer más|seguir leyendo|continue lendo|cont.
            """))

    private static let loneButtons = Set(
        phrases(
            """
            comments|comment|comentários|comentarios|advertisement|advertisements|publicidade|publicidad|anúncio|anuncio
            share|compartilhar|compartir|permalink
            """))

    private static let buttons = loneButtons.union(
        phrases(
            """
            tweet|email|e-mail|print|facebook|twitter|x|whatsapp|telegram|linkedin|pinterest|reddit|pocket|messenger
            flipboard|instagram|bluesky|threads|mastodon|copy|link|save|imprimir|copiar|enviar|guardar|salvar|comentar
            curtir|partilhar|tuitear|correo
            """))
    private static let buttonKeys = Set(
        buttons.map { Array($0.utf8).withUnsafeBufferPointer { key($0, at: 0) } })

    /// Who made a picture.
    private static let credits = phrases(
        """
        (photo by|(photo:|(image:|(file photo)|/getty images|/ap)|/afp|/reuters|(foto:|(foto de|/efe|/lusa|/agência brasil
        /folhapress
        """
    ).map { Array($0.utf8) }
    /// Where somebody stands in a picture.
    private static let positions = phrases(
        """
        (left)|(right)|(center)|(centre)|(pictured)|(à esquerda)|(à direita)|(esq.)|(dir.)|(izquierda)|(derecha)|(izq.)
        (archivo)|(arquivo)
        """
    ).map { Array($0.utf8) }

    /// Separated by bars or line breaks.
    private static func phrases(_ list: String) -> [String] {
        list.split { $0 == "|" || $0.isNewline }.map(String.init)
    }
}
