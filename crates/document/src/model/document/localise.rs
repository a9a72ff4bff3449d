//! Default titles of callouts and collapsible parts, in the page's language.

use super::tree::Part;
use super::{Block, Document, Inline};

/// The kinds of callouts with a translation, in the order of each row of `TITLES`, then the text
/// for a collapsible part.
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

/// The languages of the theme's texts, except English.
#[rustfmt::skip]
const TITLES: [(&str, [&str; KINDS.len()]); 9] = [
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
    /// Sets the titles of callouts and collapsible parts that have none, in the language, a BCP 47
    /// tag. English is the writers' default.
    pub fn localise(&mut self, language: &str) {
        let primary = language.split('-').next().unwrap_or_default();
        let Some((_, titles)) = TITLES
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(primary))
        else {
            return;
        };
        localise(&mut self.blocks, titles);
        for note in &mut self.footnotes {
            localise(&mut note.blocks, titles);
        }
    }

    /// Whether a callout or a collapsible part has no title of the author's, so that
    /// [`Self::localise`] changes it.
    pub fn has_default_titles(&self) -> bool {
        self.all_blocks().any(|block| match block {
            Block::Callout(callout) => callout.title.is_empty(),
            Block::Details { summary, .. } => summary.is_empty(),
            _ => false,
        })
    }
}

fn localise(blocks: &mut [Block], titles: &[&str; KINDS.len()]) {
    for block in blocks {
        let untitled = match block {
            Block::Callout(callout) => Some((callout.kind.as_str(), &mut callout.title)),
            Block::Details { summary, .. } => Some(("", summary)),
            _ => None,
        };
        if let Some((kind, title)) = untitled
            && title.is_empty()
            && let Some(index) = KINDS.iter().position(|known| *known == kind)
        {
            title.push(Inline::text(titles[index]));
        }
        for part in block.parts_mut() {
            if let Part::Blocks(blocks) = part {
                localise(blocks, titles);
            }
        }
    }
}
