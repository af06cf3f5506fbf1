/** What a rewarded film earns its viewer is shown as soon as it was watched. */
document.addEventListener('adp:reward', (event) => {
  if (event.detail.state === 'watched') {
    document.querySelector('.reward')?.setAttribute('data-earned', '');
  }
});
