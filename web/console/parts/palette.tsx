import { ActionIcon } from '@mantine/core';
import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from './texts.ts';

export interface PaletteEntry {
  label: string;
  description?: string;
  to: string;
}

const SEARCH_FROM = 2;

/** Ctrl+K: every page, and what the platform finds by name or number. */
export function Palette({
  entries,
  search,
}: {
  entries: readonly PaletteEntry[];
  search?: (text: string) => Promise<readonly PaletteEntry[]>;
}) {
  const t = useTexts(common);
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { data: found = [] } = useQuery({
    queryKey: ['palette', text],
    queryFn: async () => (await search?.(text)) ?? [],
    enabled: search !== undefined && text.trim().length >= SEARCH_FROM,
  });
  const actions: SpotlightActionData[] = [...entries, ...found].map((entry) => ({
    id: `${entry.to} ${entry.label}`,
    label: entry.label,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    // What the platform found matches by more than its label.
    keywords: found.includes(entry) ? text : '',
    onClick: () => void navigate({ href: entry.to }),
  }));
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`${t.palette} (Ctrl+K)`}
        aria-haspopup="dialog"
        onClick={spotlight.open}
      >
        <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden fill="none">
          <path
            d="M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13zM15.5 15.5l5 5"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
          />
        </svg>
      </ActionIcon>
      <Spotlight
        actions={actions}
        query={text}
        onQueryChange={setText}
        nothingFound={t.none}
        shortcut={['mod + K']}
        limit={12}
        scrollable
        searchProps={{ placeholder: t.palette, 'aria-label': t.palette }}
      />
    </>
  );
}
