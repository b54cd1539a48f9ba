/** The loudest sample of each cue and of each material, and their names, as a device plays them. */
export default async ({ folder }) => {
  const { CUES, soundCue } = await import(`${folder}/cues.js`);
  const { TIMBRES, soundHit } = await import(`${folder}/timbres.js`);
  const loudest = async (sound) => {
    const output = new OfflineAudioContext(1, 44_100, 44_100);
    sound(output);
    const samples = (await output.startRendering()).getChannelData(0);
    return samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  };
  const heard = {};
  for (const cue of Object.keys(CUES)) {
    heard[cue] = await Promise.all([
      loudest((output) => soundCue(output, cue, "bad", 1)),
      loudest((output) => soundCue(output, cue, "good", 3)),
    ]);
  }
  for (const timbre of Object.keys(TIMBRES)) {
    document.documentElement.style.setProperty("--timbre", timbre);
    heard[timbre] = await Promise.all([
      loudest((output) => soundHit(output, 6)),
      loudest((output) => soundHit(output, 40)),
    ]);
  }
  return heard;
};
