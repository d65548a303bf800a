// The browser's microphone: how loud it is, and a recording that ends by itself.

/** Kinds that browsers record, best first, each with the ending of its files. */
const KINDS = [
  ["audio/webm;codecs=opus", "webm"],
  ["audio/mp4;codecs=mp4a.40.2", "m4a"],
  ["audio/mp4", "m4a"],
  ["audio/ogg;codecs=opus", "ogg"],
];
/** Bits of sound in a second. */
export const SHARP = 128_000;
/** Milliseconds: how often it is asked how loud it is. */
const TICK = 100;
/** Samples that are listened to at once: more than come meanwhile, so that nothing is missed. */
const WAVE = 8192;
/** Decibels below the loudest there is, at which the level begins. */
const QUIETEST = -60;

/** As it sounds: a film's loudness is set by whoever makes it. */
export const PLAIN = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

const INSECURE =
  "This browser gives no microphone to this page: that needs HTTPS or this very machine. Send a file instead.";
const WRONG = {
  NotFoundError: "No microphone was found. Plug one in and try again, or send a file.",
  NotAllowedError:
    "The microphone is not allowed. Allow it in the browser for this page and try again, or send a file.",
  NotReadableError:
    "The microphone cannot be used: another program may have it. Close that and try again, or send a file.",
};

/** Asks for the microphone. Rejects with a sentence for people. */
export async function microphone() {
  if (!navigator.mediaDevices?.getUserMedia || !window.MediaRecorder) throw new Error(INSECURE);
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: PLAIN });
  } catch (error) {
    throw new Error(WRONG[error.name] ?? `The microphone cannot be used: ${error.message}. Send a file instead.`);
  }
}

/** How loud a stream is, in decibels. */
export function ear(stream) {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: WAVE });
  context.createMediaStreamSource(stream).connect(analyser);
  const wave = new Float32Array(analyser.fftSize);
  const listen = () => {
    analyser.getFloatTimeDomainData(wave);
    const power = wave.reduce((sum, sample) => sum + sample * sample, 0) / wave.length;
    return 10 * Math.log10(power + 1e-9);
  };
  return { listen, close: () => context.close() };
}

/**
 * Records until `stop` is called, the microphone goes, or so many seconds are over. `heard` is told again and again how many
 * there are and how loud it is, from 0 to 1. `ended` resolves to the sound, its ending, its seconds, and the loudest that was
 * heard in decibels; the microphone is free then.
 */
export function record(stream, longest, heard) {
  const [mimeType, ending] = KINDS.find(([kind]) => MediaRecorder.isTypeSupported(kind)) ?? [undefined, "webm"];
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: SHARP });
  const { listen, close } = ear(stream);
  const parts = [];
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  let loudest = -Infinity;
  const clock = setInterval(() => {
    const level = listen();
    loudest = Math.max(loudest, level);
    heard(Math.min(passed(), longest), Math.min(1, Math.max(0, 1 - level / QUIETEST)));
    if (passed() >= longest) stop();
  }, TICK);
  const stop = () => recorder.state !== "inactive" && recorder.stop();
  const ended = new Promise((settle) => {
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    recorder.addEventListener("stop", () => {
      clearInterval(clock);
      close();
      for (const track of stream.getTracks()) track.stop();
      settle({ sound: new Blob(parts, { type: recorder.mimeType }), ending, seconds: passed(), loudest });
    });
  });
  recorder.start(1000);
  return { ended, stop };
}
