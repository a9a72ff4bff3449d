//! The words before the numbers of figures, tables, sections.

/// What an id names, by its prefix.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub prefix: &'static str,
}

/// The prefixes, and their words in English, German, French, Spanish, Italian and Portuguese.
#[rustfmt::skip]
const WORDS: [(&str, [&str; 6]); 22] = [
    ("fig", ["Figure", "Abbildung", "Figure", "Figura", "Figura", "Figura"]),
    ("tbl", ["Table", "Tabelle", "Table", "Tabla", "Tabella", "Tabela"]),
    ("lst", ["Listing", "Listing", "Listing", "Listado", "Lista", "Listagem"]),
    ("eq", ["Equation", "Gleichung", "Équation", "Ecuación", "Equazione", "Equação"]),
    ("sec", ["Section", "Abschnitt", "Section", "Sección", "Sezione", "Seção"]),
    ("ch", ["Chapter", "Kapitel", "Chapitre", "Capítulo", "Capitolo", "Capítulo"]),
    ("app", ["Appendix", "Anhang", "Annexe", "Apéndice", "Appendice", "Apêndice"]),
    ("thm", ["Theorem", "Theorem", "Théorème", "Teorema", "Teorema", "Teorema"]),
    ("lem", ["Lemma", "Lemma", "Lemme", "Lema", "Lemma", "Lema"]),
    ("cor", ["Corollary", "Korollar", "Corollaire", "Corolario", "Corollario", "Corolário"]),
    ("prp", ["Proposition", "Aussage", "Proposition", "Proposición", "Proposizione", "Proposição"]),
    ("cnj", ["Conjecture", "Annahme", "Conjecture", "Conjetura", "Congettura", "Conjectura"]),
    ("def", ["Definition", "Definition", "Définition", "Definición", "Definizione", "Definição"]),
    ("exm", ["Example", "Beispiel", "Exemple", "Ejemplo", "Esempio", "Exemplo"]),
    ("exr", ["Exercise", "Übungsaufgabe", "Exercice", "Ejercicio", "Esercizio", "Exercício"]),
    ("sol", ["Solution", "Lösung", "Solution", "Solución", "Soluzione", "Solução"]),
    ("rem", ["Remark", "Bemerkung", "Remarque", "Observación", "Osservazione", "Observação"]),
    ("tip", ["Tip", "Tipp", "Astuce", "Tip", "Suggerimento", "Dica"]),
    ("nte", ["Note", "Hinweis", "Note", "Nota", "Nota", "Nota"]),
    ("wrn", ["Warning", "Warnung", "Avertissement", "Advertencia", "Avviso", "Aviso"]),
    ("imp", ["Important", "Wichtig", "Important", "Importante", "Importante", "Importante"]),
    ("cau", ["Caution", "Vorsicht", "Attention", "Precaución", "Attenzione", "Cuidado"]),
];

/// Prefixes of theorems and the like, which begin with their word.
const THEOREMS: [&str; 10] = [
    "thm", "lem", "cor", "prp", "cnj", "def", "exm", "exr", "sol", "rem",
];

impl Kind {
    pub fn is_theorem(self) -> bool {
        THEOREMS.contains(&self.prefix)
    }

    /// The word in a language; English where it is not known.
    pub fn word(prefix: &str, language: &str) -> &'static str {
        let language = language.get(..2).unwrap_or_default().to_ascii_lowercase();
        let at = ["en", "de", "fr", "es", "it", "pt"]
            .iter()
            .position(|own| *own == language);
        let words = WORDS.iter().find(|(own, _)| *own == prefix);
        words.map_or("", |(_, words)| words[at.unwrap_or(0)])
    }
}

/// The kind of thing that an id names: `fig-x`.
pub fn kind_of(id: &str) -> Option<Kind> {
    let (prefix, name) = id.split_once('-')?;
    let (prefix, _) = WORDS
        .iter()
        .find(|(own, _)| *own == prefix && !matches!(*own, "ch" | "app"))?;
    (!name.is_empty()).then_some(Kind { prefix })
}
