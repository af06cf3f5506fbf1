import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from './facts.tsx';
import { OutsideLink } from './outside-link.tsx';
import { useTexts } from './texts.ts';
import { film } from '../texts/film.ts';

interface VastFile {
  url: string;
  what: string;
}

interface FilmFacts {
  duration: string | null;
  files: readonly VastFile[];
}

interface VastFacts extends FilmFacts {
  /** Where the next document is, of a wrapper. */
  next: string | null;
}

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

/** What a VAST document says of its film; a wrapper names only who has it. */
function readVastFacts(vast: string | null): VastFacts | null {
  if (vast === null || vast === '') return null;
  const document = new DOMParser().parseFromString(vast, 'text/xml');
  const wordsOf = (name: string): string => document.querySelector(name)?.textContent?.trim() ?? '';
  const files = [...document.querySelectorAll('MediaFile')].map((file) => ({
    url: file.textContent?.trim() ?? '',
    what: fileWords({
      type: file.getAttribute('type'),
      width: file.getAttribute('width'),
      height: file.getAttribute('height'),
      bitrate_kbps: file.getAttribute('bitrate'),
    }),
  }));
  const next = wordsOf('VASTAdTagURI');
  const duration = wordsOf('Duration');
  return {
    next: isWeb(next) ? next : null,
    duration: duration === '' ? null : duration,
    files: files.filter(({ url }) => isWeb(url)),
  };
}

/** Type, size and rate, as far as they are said. */
export const fileWords = (file: {
  type: string | null;
  width: number | string | null;
  height: number | string | null;
  bitrate_kbps: number | string | null;
}): string =>
  [
    file.type,
    file.width !== null && `${file.width} × ${file.height}`,
    file.bitrate_kbps !== null && `${file.bitrate_kbps} kbit/s`,
  ]
    .filter((each) => typeof each === 'string' && each !== '')
    .join(' · ');

export interface Sources {
  vast_xml: string | null;
  /** Of a document that another server has, instead of one that was handed in. */
  vast_url: string | null;
}

/** The film that the document names itself. */
export const ownFilm = (vast: string | null): string | null =>
  readVastFacts(vast)?.files[0]?.url ?? null;

/** Where the film is asked for; null where the document names it itself, or there is none. */
export const nextDocument = ({ vast_xml, vast_url }: Sources): string | null =>
  readVastFacts(vast_xml)?.next ?? vast_url;

/** `lead` says what to do where another server has the film. */
export function VastView({ sources, lead }: { sources: Sources; lead: string }) {
  const t = useTexts(film);
  const facts = readVastFacts(sources.vast_xml);
  const next = nextDocument(sources);
  if (facts === null && next === null) return null;
  return (
    <Stack gap={4}>
      {next !== null && <Text size="sm">{lead}</Text>}
      {next !== null && (
        <Facts
          rows={[[t.nextDocument, <OutsideLink key="n" url={next} label={t.openElsewhere} />]]}
        />
      )}
      {facts !== null && <FilmView {...facts} />}
    </Stack>
  );
}

/** Nothing where nothing is known of it. */
export function FilmView({ duration, files }: FilmFacts): ReactNode {
  const t = useTexts(film);
  if (duration === null && files.length === 0) return null;
  return (
    <Facts
      rows={[
        ...(duration === null ? [] : ([[t.length, duration]] as const)),
        ...files.map(
          ({ url, what }, index) =>
            [
              t.file(index + 1),
              <div key={url}>
                {what} <OutsideLink url={url} label={t.openElsewhere} />
              </div>,
            ] as const,
        ),
      ]}
    />
  );
}
