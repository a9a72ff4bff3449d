//! Titles of callouts and of parts that open, in the page's language, where the author gave none.

use super::{Block, Document, Inline};

/// The kinds of callouts that have words here, in the order of each row of `WORDS`, then the word for a part that opens.
const KINDS: [&str; 16] = [
    "note",
    "tip",
    "important",
    "warning",
    "caution",
    "info",
    "example",
    "quote",
    "danger",
    "success",
    "question",
    "bug",
    "abstract",
    "todo",
    "failure",
    "",
];

/// The languages that the theme has words in, but English.
#[rustfmt::skip]
const WORDS: [(&str, [&str; KINDS.len()]); 9] = [
    ("de", ["Hinweis", "Tipp", "Wichtig", "Warnung", "Vorsicht", "Info", "Beispiel", "Zitat", "Gefahr", "Erfolg", "Frage", "Fehler", "Zusammenfassung", "Zu tun", "Fehlschlag", "Einzelheiten"]),
    ("fr", ["Note", "Astuce", "Important", "Avertissement", "Attention", "Info", "Exemple", "Citation", "Danger", "Succès", "Question", "Bogue", "Résumé", "À faire", "Échec", "Détails"]),
    ("es", ["Nota", "Consejo", "Importante", "Advertencia", "Precaución", "Información", "Ejemplo", "Cita", "Peligro", "Éxito", "Pregunta", "Error", "Resumen", "Por hacer", "Fallo", "Detalles"]),
    ("it", ["Nota", "Suggerimento", "Importante", "Avviso", "Attenzione", "Info", "Esempio", "Citazione", "Pericolo", "Successo", "Domanda", "Errore", "Sommario", "Da fare", "Fallimento", "Dettagli"]),
    ("pt", ["Nota", "Dica", "Importante", "Aviso", "Cuidado", "Informação", "Exemplo", "Citação", "Perigo", "Sucesso", "Pergunta", "Erro", "Resumo", "A fazer", "Falha", "Detalhes"]),
    ("nl", ["Opmerking", "Tip", "Belangrijk", "Waarschuwing", "Let op", "Info", "Voorbeeld", "Citaat", "Gevaar", "Gelukt", "Vraag", "Fout", "Samenvatting", "Te doen", "Mislukt", "Details"]),
    ("zh", ["注意", "提示", "重要", "警告", "小心", "信息", "示例", "引用", "危险", "成功", "问题", "错误", "摘要", "待办", "失败", "详情"]),
    ("ja", ["注記", "ヒント", "重要", "警告", "注意", "情報", "例", "引用", "危険", "成功", "質問", "バグ", "概要", "やること", "失敗", "詳細"]),
    ("ar", ["ملاحظة", "نصيحة", "مهم", "تحذير", "تنبيه", "معلومة", "مثال", "اقتباس", "خطر", "نجاح", "سؤال", "خلل", "ملخص", "للقيام به", "فشل", "تفاصيل"]),
];

impl Document {
    /// Gives callouts and parts that open a title in the language, a BCP 47 tag, where the author gave none. English is what the writers write.
    pub(crate) fn localise(&mut self, language: &str) {
        let primary = language.split('-').next().unwrap_or_default();
        let Some((_, words)) = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(primary)) else { return };
        blocks(&mut self.blocks, words);
        self.footnotes.iter_mut().for_each(|note| blocks(&mut note.blocks, words));
    }

    /// Whether [`Self::localise`] has something to do here.
    pub(crate) fn needs_words(&self) -> bool {
        let mut found = false;
        let notes = self.footnotes.iter().flat_map(|note| &note.blocks);
        for block in self.blocks.iter().chain(notes) {
            super::queries::each_block(std::slice::from_ref(block), &mut |block| {
                found |= match block {
                    Block::Callout(callout) => callout.title.is_empty(),
                    Block::Details { summary, .. } => summary.is_empty(),
                    _ => false,
                };
            });
        }
        found
    }
}

fn blocks(all: &mut [Block], words: &[&str; KINDS.len()]) {
    let word = |kind: &str| KINDS.iter().zip(words).find(|(known, _)| **known == kind).map(|(_, word)| vec![Inline::text(*word)]);
    for block in all {
        match block {
            Block::Callout(callout) => {
                if callout.title.is_empty() {
                    callout.title = word(&callout.kind).unwrap_or_default();
                }
                blocks(&mut callout.blocks, words);
            }
            Block::Details { summary, blocks: inner, .. } => {
                if summary.is_empty() {
                    *summary = word("").unwrap_or_default();
                }
                blocks(inner, words);
            }
            Block::Quote(inner) | Block::Figure { blocks: inner, .. } => blocks(inner, words),
            Block::Container(container) => blocks(&mut container.blocks, words),
            Block::List(list) => list.items.iter_mut().for_each(|item| blocks(&mut item.blocks, words)),
            Block::Table(table) => {
                table.header.iter_mut().chain(table.rows.iter_mut().flatten()).for_each(|cell| blocks(&mut cell.blocks, words));
            }
            Block::Definitions(definitions) => {
                definitions.iter_mut().flat_map(|definition| &mut definition.descriptions).for_each(|inner| blocks(inner, words));
            }
            Block::Heading { .. } | Block::Paragraph(_) | Block::Code { .. } | Block::Rule | Block::Math(_) | Block::Embed(_) => {}
        }
    }
}
