import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Action, ActionButton } from './action.tsx';
import { OnlyReads } from './permission.tsx';
import { SavedViews } from './saved-views.tsx';

export interface Crumb {
  text: string;
  to: string;
}

interface PageProps {
  title: ReactNode;
  /** States and the like, beside the title. */
  beside?: ReactNode;
  lead?: ReactNode;
  crumbs?: readonly Crumb[];
  /** The first one is the page's main action. */
  actions?: readonly Action[];
  /** A link that is drawn as the main action. */
  main?: ReactNode;
  children: ReactNode;
}

/** The head that every page has: where it is, what it is, what can be done. */
export function Page({
  title,
  beside,
  lead,
  crumbs = [],
  actions = [],
  main,
  children,
}: PageProps) {
  return (
    <Stack gap="md">
      {crumbs.length > 0 && (
        <Breadcrumbs component="nav" aria-label="breadcrumb">
          {crumbs.map(({ text, to }) => (
            <Anchor key={to} size="sm" renderRoot={(props) => <Link to={to} {...props} />}>
              {text}
            </Anchor>
          ))}
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} maw="100%">
          <Group gap="sm">
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {beside}
          </Group>
          {lead !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {lead}
            </Text>
          )}
        </Stack>
        <Group gap="xs">
          <SavedViews />
          {actions.map((action, index) => (
            <ActionButton
              key={action.label}
              action={action}
              variant={index === 0 && main === undefined ? 'filled' : 'default'}
            />
          ))}
          {main}
        </Group>
      </Group>
      <OnlyReads />
      {children}
    </Stack>
  );
}
