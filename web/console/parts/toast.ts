import { notifications } from '@mantine/notifications';

/** Says that something was done; refusals stay where they happened. */
export const told = (message: string): void => {
  notifications.show({ message, color: 'teal', autoClose: 5_000 });
};

export const refused = (error: Error): void => {
  notifications.show({ message: error.message, color: 'red', autoClose: 10_000 });
};
