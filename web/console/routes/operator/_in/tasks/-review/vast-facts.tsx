import { Stack, Text } from '@mantine/core';
import { Facts } from '../../../../../parts/facts.tsx';
import { OutsideLink } from '../../../../../parts/outside-link.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import { film } from '../../../../../texts/film.ts';

interface VastFile {
  url: string;
  what: string;
}

interface VastFacts {
  /** Where the next document is, of a wrapper. */
  next: string | null;
  duration: string | null;
  files: VastFile[];
}

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

/** What a VAST document says of its film; a wrapper names only who has it. */
export function readVastFacts(vast: string | null): VastFacts | null {
  if (vast === null || vast === '') return null;
  const document = new DOMParser().parseFromString(vast, 'text/xml');
  const wordsOf = (name: string): string => document.querySelector(name)?.textContent?.trim() ?? '';
  const files = [...document.querySelectorAll('MediaFile')].map((file) => ({
    url: file.textContent?.trim() ?? '',
    what: [
      file.getAttribute('type'),
      file.hasAttribute('width') &&
        `${file.getAttribute('width')} × ${file.getAttribute('height')}`,
      file.hasAttribute('bitrate') && `${file.getAttribute('bitrate')} kbit/s`,
    ]
      .filter((each) => typeof each === 'string' && each !== '')
      .join(' · '),
  }));
  const next = wordsOf('VASTAdTagURI');
  const duration = wordsOf('Duration');
  return {
    next: isWeb(next) ? next : null,
    duration: duration === '' ? null : duration,
    files: files.filter(({ url }) => isWeb(url)),
  };
}

/** `address`: of a document that another server has, instead of one that was handed in. */
export function VastView({ vast, address }: { vast: string | null; address: string | null }) {
  const t = useTexts(film);
  const facts = readVastFacts(vast);
  const next = facts?.next ?? address;
  if (facts === null && next === null) return null;
  return (
    <Stack gap={4}>
      {next !== null && <Text size="sm">{t.elsewhere}</Text>}
      <Facts
        rows={[
          ...(next === null
            ? []
            : ([
                [t.nextDocument, <OutsideLink key="n" url={next} label={t.openElsewhere} />],
              ] as const)),
          ...(typeof facts?.duration === 'string' ? ([[t.length, facts.duration]] as const) : []),
          ...(facts?.files ?? []).map(
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
    </Stack>
  );
}
