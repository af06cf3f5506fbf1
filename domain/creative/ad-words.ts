/**
 * What is said of an ad where it is not seen: its frames' and pictures' name, and that of the button which closes it.
 * Letters and spaces alone, which no escaping changes.
 */
export interface AdWords {
  /** As HTML's `lang` has it. */
  readonly lang: string;
  readonly ad: string;
  readonly close: string;
}

const words = (lang: string, ad: string, close: string): AdWords => ({ lang, ad, close });

export const ENGLISH = words('en', 'Advertisement', 'Close advertisement');
const TRADITIONAL_CHINESE = words('zh-Hant', '廣告', '關閉廣告');

export const AD_WORDS: readonly AdWords[] = [
  ENGLISH,
  words('zh', '广告', '关闭广告'),
  TRADITIONAL_CHINESE,
  words('ar', 'إعلان', 'إغلاق الإعلان'),
  words('de', 'Anzeige', 'Anzeige schließen'),
  words('es', 'Anuncio', 'Cerrar anuncio'),
  words('fa', 'آگهی', 'بستن آگهی'),
  words('fr', 'Publicité', 'Fermer la publicité'),
  words('he', 'פרסומת', 'סגירת הפרסומת'),
  words('hi', 'विज्ञापन', 'विज्ञापन बंद करें'),
  words('id', 'Iklan', 'Tutup iklan'),
  words('it', 'Pubblicità', 'Chiudi la pubblicità'),
  words('ja', '広告', '広告を閉じる'),
  words('ko', '광고', '광고 닫기'),
  words('nl', 'Advertentie', 'Advertentie sluiten'),
  words('pl', 'Reklama', 'Zamknij reklamę'),
  words('pt', 'Anúncio', 'Fechar anúncio'),
  words('ru', 'Реклама', 'Закрыть рекламу'),
  words('tr', 'Reklam', 'Reklamı kapat'),
  words('uk', 'Реклама', 'Закрити рекламу'),
  words('vi', 'Quảng cáo', 'Đóng quảng cáo'),
];

const byLanguage = new Map(AD_WORDS.map((each) => [each.lang, each]));

const LANGUAGE = /^\s*([a-z]{2})(?![a-z])/i;
/** Of Chinese: a script or a region where it is written in full. */
const TRADITIONAL = /^\s*zh[-_](?:hant|tw|hk|mo)\b/i;

/** By what a page says of its language (`page_lang`, the first of several); English where it says nothing known. */
export function adWordsIn(pageLang: string): AdWords {
  if (pageLang === '') return ENGLISH;
  const language = LANGUAGE.exec(pageLang)?.[1]?.toLowerCase() ?? '';
  if (language === 'zh' && TRADITIONAL.test(pageLang)) return TRADITIONAL_CHINESE;
  return byLanguage.get(language) ?? ENGLISH;
}
