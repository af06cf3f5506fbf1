import { Anchor, type AnchorProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { one as adGroup } from '../../../queries/advertiser/ad-group.ts';
import { one as creative } from '../../../queries/advertiser/creative.ts';
import { one as tracker } from '../../../queries/advertiser/tracker.ts';

const ADDRESSES = {
  adgroup: '/advertiser/ad-groups',
  creative: '/advertiser/creatives',
  tracker: '/advertiser/trackers',
} as const;

type Named = { of: keyof typeof ADDRESSES; id: number } & Pick<AnchorProps, 'size'>;

/** A link to what a record refers to by its number alone; called by its name once that is known. */
export function NamedLink({ of, id, size }: Named) {
  const name = useName(of, id);
  return (
    <Anchor size={size} renderRoot={(props) => <Link to={`${ADDRESSES[of]}/${id}`} {...props} />}>
      {name ?? `#${id}`}
    </Anchor>
  );
}

function useName(of: Named['of'], id: number): string | undefined {
  const names = [
    useQuery({ ...adGroup(id), enabled: of === 'adgroup' }).data?.name,
    useQuery({ ...creative(id), enabled: of === 'creative' }).data?.name,
    useQuery({ ...tracker(id), enabled: of === 'tracker' }).data?.name,
  ];
  return names.find((name) => name !== undefined);
}
