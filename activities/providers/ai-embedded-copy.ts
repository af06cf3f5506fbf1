import {
  COPY_LENGTH_MAX,
  type CopyVariant,
  oneLine,
  tidyCopy,
  type Tone,
} from '../../domain/creative/generation.ts';
import type { CopyOrder } from './ai.ts';

/** `{x}` is what the prompt speaks of. */
interface Phrases {
  titles: readonly string[];
  descriptions: readonly string[];
  buttons: Readonly<Record<Tone, readonly string[]>>;
}

const ENGLISH: Phrases = {
  titles: ['{x}', 'Discover {x}', '{x}, made for you', 'Your next step: {x}'],
  descriptions: [
    'Find out what {x} can do for you.',
    'See {x} at its best, and choose what fits you.',
    '{x}: all that matters on one page.',
    'Everything about {x}, simple and clear.',
  ],
  buttons: {
    neutral: ['Learn more', 'View offer'],
    friendly: ['Take a look', 'Come on in'],
    formal: ['Request details', 'View details'],
    urgent: ['Get it now', 'Start today'],
    playful: ['Show me', 'Surprise me'],
  },
};

const PHRASES: Readonly<Record<string, Phrases>> = {
  en: ENGLISH,
  de: {
    titles: ['{x}', '{x} entdecken', '{x}, für Sie gemacht', 'Ihr nächster Schritt: {x}'],
    descriptions: [
      'Erfahren Sie, was {x} für Sie tun kann.',
      '{x} von der besten Seite: Wählen Sie, was zu Ihnen passt.',
      '{x}: alles Wichtige auf einer Seite.',
      'Alles über {x}, einfach und klar.',
    ],
    buttons: {
      neutral: ['Mehr erfahren', 'Zum Angebot'],
      friendly: ['Schauen Sie rein', 'Jetzt ansehen'],
      formal: ['Details anfordern', 'Details ansehen'],
      urgent: ['Jetzt sichern', 'Heute starten'],
      playful: ['Zeig her', 'Lass sehen'],
    },
  },
  es: {
    titles: ['{x}', 'Descubra {x}', '{x}, hecho para usted', 'Su próximo paso: {x}'],
    descriptions: [
      'Descubra lo que {x} puede hacer por usted.',
      'Vea lo mejor de {x} y elija lo que le conviene.',
      '{x}: todo lo importante en una página.',
      'Todo sobre {x}, sencillo y claro.',
    ],
    buttons: {
      neutral: ['Más información', 'Ver oferta'],
      friendly: ['Échele un vistazo', 'Ver ahora'],
      formal: ['Solicitar detalles', 'Ver detalles'],
      urgent: ['Consígalo ya', 'Empiece hoy'],
      playful: ['Muéstramelo', 'Sorpréndeme'],
    },
  },
  fr: {
    titles: ['{x}', 'Découvrez {x}', '{x}, pensé pour vous', 'Votre prochaine étape : {x}'],
    descriptions: [
      'Découvrez ce que {x} peut faire pour vous.',
      'Le meilleur de {x} : choisissez ce qui vous convient.',
      '{x} : l’essentiel sur une seule page.',
      'Tout sur {x}, simplement et clairement.',
    ],
    buttons: {
      neutral: ['En savoir plus', 'Voir l’offre'],
      friendly: ['Jetez un œil', 'Voir maintenant'],
      formal: ['Demander le détail', 'Voir le détail'],
      urgent: ['J’en profite', 'Commencer'],
      playful: ['Montrez-moi', 'Surprenez-moi'],
    },
  },
  zh: {
    titles: ['{x}', '发现{x}', '{x}，为您而来', '下一步：{x}'],
    descriptions: [
      '了解{x}能为您带来什么。',
      '看看{x}最好的一面，选择适合您的。',
      '{x}：重要信息一页看完。',
      '关于{x}的一切，简单明了。',
    ],
    buttons: {
      neutral: ['了解更多', '查看优惠'],
      friendly: ['来看看', '立即查看'],
      formal: ['索取详情', '查看详情'],
      urgent: ['立即获取', '今天开始'],
      playful: ['给我看看', '给我惊喜'],
    },
  },
};

const SUBJECT_LENGTH_MAX = COPY_LENGTH_MAX.title - 22;

/** Templates around the first thing that the prompt names; English for a language it has none for. */
export function embeddedCopy(order: CopyOrder, seed: Buffer): CopyVariant[] {
  const language = order.language.split('-', 1)[0] ?? '';
  const phrases = Object.hasOwn(PHRASES, language) ? (PHRASES[language] ?? ENGLISH) : ENGLISH;
  const subject = subjectOf(order.prompt);
  const buttons = phrases.buttons[order.tone ?? 'neutral'];
  const pick = (from: readonly string[], index: number): string =>
    (from[((seed[0] ?? 0) + index) % from.length] ?? '').replaceAll('{x}', () => subject);
  return Array.from({ length: order.count }, (_, index) =>
    tidyCopy({
      title: pick(phrases.titles, index),
      description: pick(phrases.descriptions, index),
      button_text: pick(buttons, index),
    }),
  );
}

function subjectOf(prompt: string): string {
  const first = prompt.split(/[.!?;:,\n。，！？；]/u).find((part) => part.trim() !== '') ?? prompt;
  return oneLine(first, SUBJECT_LENGTH_MAX);
}
