// Made by scripts/clients.py from docs/openapi.json.

export interface AccountRecord {
  createdAt: string;
  /** Credits that are left; null where they are not counted */
  credits: number | null;
  email: string;
  id: string;
  name: string;
  plan: PlanRecord;
}

/** How something comes and goes. */
export interface Animation {
  /** Seconds */
  delay?: number | null;
  /** Seconds */
  duration: number;
  type: AnimationType;
}

/** How something comes or goes; the word names the side. */
export type AnimationType = "none" | "fade-in" | "fade-out" | "in-right" | "in-down" | "in-left" | "in-up" | "out-right" | "out-down" | "out-left" | "out-up" | "zoom-in" | "zoom-out";

/** An uploaded file. */
export interface AssetItem {
  createdAt: string;
  height?: number | null;
  id: string;
  mediaType: string;
  name: string;
  /** The same without the address of the service */
  path: string;
  /** Bytes */
  size: number;
  /** For `source_url` and `video_url` */
  url: string;
  /** Of a picture or video that was just sent */
  width?: number | null;
}

/** Only heard: needs no place. */
export interface AudioClip {
  id: string;
  isDelete?: boolean | null;
  layer?: number | null;
  source_url: string;
  tag?: string | null;
  volume?: number | null;
}

export interface Authenticated {
  email: string;
  isAuthenticated: boolean;
  plan: string;
}

export interface AutomationProgress {
  progress: number;
  projectId: string;
  /** `finish` when the project is there, `processing` before */
  state: string;
}

/** Somebody who speaks. */
export interface AvatarClip {
  /** Degrees, clockwise about the upper left corner */
  angle?: number | null;
  animation?: Animation | null;
  /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
  fromStep?: number | null;
  height: number;
  id: string;
  /** Neither seen nor heard */
  isDelete?: boolean | null;
  /** Higher ones cover lower ones */
  layer: number;
  left: number;
  /** 1 to 100; of a presenter 0 to 1 */
  opacity?: number | null;
  scaleX?: number | null;
  scaleY?: number | null;
  /** Finds the clip in edits */
  tag?: string | null;
  top: number;
  /** Ours: goes with this step */
  untilStep?: number | null;
  width: number;
  /** `head-only`, as an object with that `type` or as a text */
  effects?: (Effect | string)[] | null;
  /** Head and shoulders alone */
  headOnly?: boolean | null;
  /** Ours: the share of the height that stays empty above the hair */
  headroom?: number | null;
  /** Ours: `circle` shows the presenter in a circle */
  mask?: "none" | "circle";
  model: ModelOfClip;
  /** What this presenter says, where the scene's script is another's; a text is taken as its `org` */
  script?: OwnScript | string | null;
  /** Heard and not seen */
  voiceOnly?: boolean | null;
}

export interface AvatarDesign {
  /** Default: that of the faces, as with all that is left out */
  age?: number | null;
  beard?: "none" | "stubble" | "short" | "full";
  body?: DesignBody | null;
  eyes?: DesignEyes | null;
  face?: DesignFace | null;
  /** Whose face it is: up to four women or men of the cast by alias, with shares */
  faces: Record<string, unknown>;
  glasses?: DesignGlasses | null;
  hair?: DesignHair | null;
  /** Where they rest */
  hands?: "together" | "crossed" | "beside" | "folded" | "hip" | "steepled" | "wrist" | "tablet";
  logo?: DesignLogo | null;
  /** How much it moves */
  manner?: "calm" | "lively" | "formal";
  /** Scenes may name it by this too, as `ada-miller` */
  name: string;
  outfits?: DesignOutfit[] | null;
  skin?: DesignSkin | null;
  /** A voice for each language */
  voices?: Record<string, unknown> | null;
}

/** An export of a film that shows a presenter. */
export interface AvatarFilm {
  createdAt: string;
  exportId: string;
  name: string;
  projectId: string;
  state: string;
}

/** A presenter of footage in a list. */
export interface AvatarItem {
  createdAt: string;
  /** `female`, `male` or `neutral` */
  gender: string;
  /** Also for `ai_name`, `modelId` and `model`, once the state is `ready` */
  id: string;
  /** What it is made of: `footage`, `photo`, `model` or `design` */
  kind: string;
  language: string;
  name: string;
  /** Id of the presenter whom it shows in other clothes */
  outfitOf: string | null;
  /** Path of a picture, once the state is `ready` */
  portrait: string | null;
  /** Percent, while the state is `building` */
  progress: number;
  /** `collecting`, `queued`, `building`, `waiting` (for an operator's approval), `ready`, `refused` or `withdrawn` */
  state: string;
}

/** An uploaded file that takes were begun from. */
export interface AvatarOriginal {
  assetId: string;
  deleted: boolean;
  name: string;
  /** Projects and other presenters for whose sake it stays */
  usedBy: string[];
}

/** All that is known of a presenter of footage. */
export interface AvatarRecord {
  createdAt: string;
  /** `female`, `male` or `neutral` */
  gender: string;
  /** Also for `ai_name`, `modelId` and `model`, once the state is `ready` */
  id: string;
  /** What it is made of: `footage`, `photo`, `model` or `design` */
  kind: string;
  language: string;
  name: string;
  /** Id of the presenter whom it shows in other clothes */
  outfitOf: string | null;
  /** Path of a picture, once the state is `ready` */
  portrait: string | null;
  /** Percent, while the state is `building` */
  progress: number;
  /** `collecting`, `queued`, `building`, `waiting` (for an operator's approval), `ready`, `refused` or `withdrawn` */
  state: string;
  /** Who saw consent and takes */
  approvedBy: string | null;
  /** What becomes of what is behind the person: `auto`, `cut` or `keep` */
  background: string;
  consent: ConsentItem | null;
  coverage: CoverageItem;
  /** Exports that show it or let it speak */
  films: AvatarFilm[];
  /** About the footage as a whole; those of one take stand with it */
  findings: FindingItem[];
  licence: LicenceItem | null;
  /** What has to come before it can be built, and how */
  missing: Warned[];
  /** The same person in other clothes, the first one first */
  outfits: AvatarItem[];
  /** Language of the lines and the consent that are given out: that of the takes, or `en` where there are none in it */
  promptLanguage: string;
  /** Of speech in it, once it is made */
  seconds: number;
  takes: TakeItem[];
  /** Seconds before it is made, while the state is `queued`, as things go */
  waitSeconds: number;
  withdrawnAt: string | null;
  /** Who took it away: `account`, `person` (whoever is shown, with their link) or `operator`; null of those that went before that was noted */
  withdrawnBy: string | null;
}

/** What is gone, and the films that are left. */
export interface AvatarWithdrawn {
  /** Made with it: they stay until their projects are deleted */
  films: AvatarFilm[];
  id: string;
  /** Uploaded files that its takes were begun from */
  originals: AvatarOriginal[];
}

export interface Background {
  id?: string | null;
  source_color?: string | null;
  source_type?: "image" | "color" | "video";
  source_url?: string | null;
  type?: string | null;
  /** Of a video whose `source_url` is its still picture */
  video_url?: string | null;
}

/** A background that comes with the product. */
export interface BackgroundItem {
  name: string;
  /** `landscape` or `portrait` */
  orientation: string;
  /** Goes into a scene's background as it is */
  source_url: string;
}

export interface BuildEnded {
  /** Whether there was something to end */
  cancelled: boolean;
}

export interface Cancelled {
  /** False when there was nothing to stop */
  cancelled: boolean;
  projectId: string;
}

export interface ChangeHook {
  enabled?: boolean | null;
  events?: WebhookEventChoice[] | null;
  name?: string | null;
  url?: string | null;
}

/** Where a part of the film begins, and what it is called. */
export interface Chapter {
  /** Seconds from the film's start */
  start: number;
  title: string;
}

/** A clip, by its type. */
export type Clip =
  | {
    /** Degrees, clockwise about the upper left corner */
    angle?: number | null;
    animation?: Animation | null;
    /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
    fromStep?: number | null;
    height: number;
    id: string;
    /** Neither seen nor heard */
    isDelete?: boolean | null;
    /** Higher ones cover lower ones */
    layer: number;
    left: number;
    /** 1 to 100; of a presenter 0 to 1 */
    opacity?: number | null;
    scaleX?: number | null;
    scaleY?: number | null;
    /** Finds the clip in edits */
    tag?: string | null;
    top: number;
    /** Ours: goes with this step */
    untilStep?: number | null;
    width: number;
    /** `head-only`, as an object with that `type` or as a text */
    effects?: (Effect | string)[] | null;
    /** Head and shoulders alone */
    headOnly?: boolean | null;
    /** Ours: the share of the height that stays empty above the hair */
    headroom?: number | null;
    /** Ours: `circle` shows the presenter in a circle */
    mask?: "none" | "circle";
    model: ModelOfClip;
    /** What this presenter says, where the scene's script is another's; a text is taken as its `org` */
    script?: OwnScript | string | null;
    /** Heard and not seen */
    voiceOnly?: boolean | null;
    type: "aiModel";
  }
  | {
    /** Degrees, clockwise about the upper left corner */
    angle?: number | null;
    animation?: Animation | null;
    /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
    fromStep?: number | null;
    height: number;
    id: string;
    /** Neither seen nor heard */
    isDelete?: boolean | null;
    /** Higher ones cover lower ones */
    layer: number;
    left: number;
    /** 1 to 100; of a presenter 0 to 1 */
    opacity?: number | null;
    scaleX?: number | null;
    scaleY?: number | null;
    /** Finds the clip in edits */
    tag?: string | null;
    top: number;
    /** Ours: goes with this step */
    untilStep?: number | null;
    width: number;
    fill: string;
    shadow?: Shadow | null;
    shapeName: ShapeName;
    stroke?: string | null;
    /** Of rounded corners */
    strokeRadius?: number | null;
    strokeWidth?: number | null;
    type: "shape";
  }
  | {
    /** Degrees, clockwise about the upper left corner */
    angle?: number | null;
    animation?: Animation | null;
    /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
    fromStep?: number | null;
    height: number;
    id: string;
    /** Neither seen nor heard */
    isDelete?: boolean | null;
    /** Higher ones cover lower ones */
    layer: number;
    left: number;
    /** 1 to 100; of a presenter 0 to 1 */
    opacity?: number | null;
    scaleX?: number | null;
    scaleY?: number | null;
    /** Finds the clip in edits */
    tag?: string | null;
    top: number;
    /** Ours: goes with this step */
    untilStep?: number | null;
    width: number;
    source_url: string;
    type: "image";
  }
  | {
    /** Degrees, clockwise about the upper left corner */
    angle?: number | null;
    animation?: Animation | null;
    /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
    fromStep?: number | null;
    height: number;
    id: string;
    /** Neither seen nor heard */
    isDelete?: boolean | null;
    /** Higher ones cover lower ones */
    layer: number;
    left: number;
    /** 1 to 100; of a presenter 0 to 1 */
    opacity?: number | null;
    scaleX?: number | null;
    scaleY?: number | null;
    /** Finds the clip in edits */
    tag?: string | null;
    top: number;
    /** Ours: goes with this step */
    untilStep?: number | null;
    width: number;
    align?: "left" | "center" | "right" | "justify";
    backgroundColor?: string | null;
    fill: string;
    fontFamily?: string | null;
    /** Points: 4/3 of a canvas unit */
    fontSize: number;
    fontStyle?: "normal" | "italic";
    /** `normal`, `bold` or 1 to 1000 */
    fontWeight?: string | number | null;
    lineHeight?: number | null;
    /** Ours: stretches of the text with looks of their own; they count while, joined, they are the `text` */
    runs?: TextRun[] | null;
    shadow?: Shadow | null;
    stroke?: string | null;
    strokeWidth?: number | null;
    text: string;
    underline?: boolean | null;
    type: "textImage";
  }
  | {
    /** Degrees, clockwise about the upper left corner */
    angle?: number | null;
    animation?: Animation | null;
    /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
    fromStep?: number | null;
    height: number;
    id: string;
    /** Neither seen nor heard */
    isDelete?: boolean | null;
    /** Higher ones cover lower ones */
    layer: number;
    left: number;
    /** 1 to 100; of a presenter 0 to 1 */
    opacity?: number | null;
    scaleX?: number | null;
    scaleY?: number | null;
    /** Finds the clip in edits */
    tag?: string | null;
    top: number;
    /** Ours: goes with this step */
    untilStep?: number | null;
    width: number;
    video_url: string;
    volume?: number | null;
    type: "videoImage";
  }
  | {
    id: string;
    isDelete?: boolean | null;
    layer?: number | null;
    source_url: string;
    tag?: string | null;
    volume?: number | null;
    type: "audio";
  };

/** What a presenter wears. */
export interface Cloth {
  aliases: string[];
  /** For `emotion`, `clothId` and `clothes` */
  id: string;
  label: Label;
  thumbnail: string;
}

export interface ConsentAsk {
  /** Of an uploaded file, which is the recording of that text */
  assetId?: string | null;
  /** Of a model, instead: the name of whoever states that it may be shown in films, in commercial ones too */
  licensedBy?: string | null;
  /** The person's name, as they say it: gives out a text */
  person?: string | null;
  /** What the films are for */
  purpose?: string | null;
}

/** What the person reads to agree. */
export interface ConsentItem {
  date: string;
  person: string;
  purpose: string;
  /** Whether a recording is there */
  recorded: boolean;
  /** Read it before the camera, exactly */
  text: string;
  /** Where the person takes the presenter away without an account; hand it to them. It is in the answer that gives out the text and in no other, and the one of before is void */
  withdrawalLink: string | null;
}

export interface Copied {
  /** Of the copy */
  key: string;
  projectData: Described;
}

/** How much of what a presenter needs was read. */
export interface CoverageItem {
  /** Less is refused */
  enough: boolean;
  /** More makes it hardly better */
  plenty: boolean;
  /** Prompts that were read */
  prompts: number;
  /** Of speech, guessed from the texts */
  seconds: number;
  /** Percent of the neighbouring sounds of all prompts */
  sounds: number;
}

export interface CreateProject {
  backgroundAudio?: Music | null;
  /** Comes back in progress, project and webhook */
  callbackId?: string | null;
  /** Words and how to say them */
  dictionary?: Record<string, unknown> | null;
  format?: Format | null;
  /** Export at once */
  isExport?: boolean | null;
  /** What the film is in, such as `pt-BR`; a script that says nothing else is taken to be in it, unless it plainly is not */
  language?: string | null;
  name?: string | null;
  /** What a broken link does */
  onAssetError?: "fail" | "skip";
  orientation?: Orientation | null;
  resolution?: Resolution | number | null;
  scenes: Scene[];
  webhookMethod?: WebhookMethod | null;
  /** Who is told when the export ends */
  webhookUrl?: string | null;
  workspaceId?: string | null;
}

/** A project that was made or changed. */
export interface Created {
  projectId: string;
  /** What may not have been meant */
  warnings: Warned[];
}

/** A movement of credits. */
export interface CreditMovement {
  /** Less than zero when they went */
  amount: number;
  createdAt: string;
  /** Of the export it is about */
  exportId: string | null;
  id: string;
  kind: CreditMovementKind;
  note: string;
}

/** Why credits moved. */
export type CreditMovementKind = "renew" | "grant" | "reserve" | "settle" | "release" | "speech";

export interface CustomAvatar {
  /** `FEMALE`, `MALE` or `NEUTRAL` (default) */
  gender?: string | null;
  /** Accepted; footage is footage */
  isWebcam?: boolean | null;
  /** `en` (default), `ko` or `zh` */
  locale?: string | null;
  name: string;
  /** Accepted; every picture is looked at */
  perFrame?: boolean | null;
  /** What is said in the video: nobody here recognises speech */
  text?: string | null;
  /** Of a video in which one person speaks */
  url: string;
}

/** A presenter that a linked video is the beginning of. */
export interface CustomAvatarMade {
  avatarId: string;
  /** What has to come before it can be built, and how */
  missing: Warned[];
  state: string;
  /** Always null: no voice is cloned */
  voiceId: string | null;
}

/** A presenter alone, whose export was taken on. */
export interface CustomMade {
  projectId: string;
  taskId: string | null;
  /** What may not have been meant */
  warnings: Warned[];
}

export interface DeleteProjects {
  ids: string[];
}

export interface Deleted {
  deletedCount: number;
}

/** A webhook and its tries. */
export interface DeliveryRecord {
  createdAt: string;
  /** Of the account's, where it went to one */
  endpointId: string | null;
  event: WebhookEvent;
  /** Sent as `webhook-id`, the same on every try */
  id: string;
  state: DeliveryState;
  tries: TryRecord[];
  url: string;
}

/** Whether a webhook arrived. */
export type DeliveryState = "pending" | "delivered" | "gone" | "failed";

export interface Described {
  key: string;
  projectName: string;
  /** `AIModel` and `clips` each, as they were sent */
  scenes: Record<string, unknown>[];
}

export interface DesignBody {
  /** Slim to strong */
  neck?: number | null;
  /** Narrow to broad */
  shoulders?: number | null;
  /** Slim to heavy */
  weight?: number | null;
}

export interface DesignEyes {
  /** Of the iris, as `#46606c` */
  color?: string | null;
}

export interface DesignFace {
  /** How the halves differ */
  asymmetry?: number | null;
  /** Flat to high */
  bridge?: number | null;
  /** Fine to strong */
  brows?: number | null;
  /** Flat to full */
  cheeks?: number | null;
  /** Small to long */
  chin?: number | null;
  /** Small to large */
  eyes?: number | null;
  /** Slim to strong */
  jaw?: number | null;
  /** Short to long */
  length?: number | null;
  /** Thin to full */
  lips?: number | null;
  /** Small to wide */
  mouth?: number | null;
  /** Small to large */
  nose?: number | null;
  /** Slim to broad */
  noseWidth?: number | null;
  /** Narrow eyes to wide open ones */
  open?: number | null;
  /** Outer corners of the eyes down to up */
  slant?: number | null;
  /** Narrow to broad */
  width?: number | null;
}

/** A design, as a file has it: what `POST /avatars/designs` takes. */
export type DesignFile = Record<string, unknown>;

export interface DesignGlasses {
  /** Of the frame */
  color?: string | null;
  rims?: "none" | "round" | "oval" | "square";
}

export interface DesignHair {
  /** As seen in a film; a headscarf's is the outfit's `accent` */
  color?: string | null;
  /** Shorter to longer */
  length?: number | null;
  /** Parted or combed to the other side */
  otherSide?: boolean | null;
  style?: "long" | "waves" | "shoulder" | "bob" | "bun" | "tied-back" | "curls" | "afro" | "pixie" | "side-part" | "quiff" | "short" | "crop" | "receding" | "bald" | "headscarf";
  /** Flat to full */
  volume?: number | null;
}

export interface DesignLogo {
  /** A PNG, JPEG, WebP or SVG as `data:image/png;base64,…` */
  picture: string;
  place?: "chest" | "lapel";
  /** Small to large */
  size?: number | null;
}

export interface DesignOutfit {
  /** Of tie or headscarf */
  accent?: string | null;
  clothes: "suit" | "open-suit" | "blazer" | "shirt" | "knit" | "tee";
  /** As seen in a film: a brand's colour stays that colour */
  color: string;
  /** For people */
  name?: string | null;
  /** Of what is under a jacket */
  under?: string | null;
}

export interface DesignSkin {
  /** As seen in a film */
  color?: string | null;
  /** None to many */
  freckles?: number | null;
  /** Smooth to lined */
  lines?: number | null;
  /** As seen in a film */
  lips?: string | null;
  /** None to much */
  makeup?: number | null;
}

/** One presentation, or texts and Word documents. */
export interface DocsToVideo {
  files: UploadedDocument[];
  /** Default: as the document calls itself */
  name?: string | null;
  options?: StoryOptions | null;
}

export interface DreamAvatar {
  /** `FEMALE`, `MALE` or `NEUTRAL` (default) */
  gender?: string | null;
  name: string;
  /** Accepted; scenes say who speaks */
  tts?: Record<string, unknown> | null;
  /** Of a photo in which one person looks into the lens, with closed lips */
  url: string;
}

export interface EditProject {
  /** Comes back in progress, project and webhook */
  callbackId?: string | null;
  /** Edit a copy and leave the original alone */
  copy?: boolean | null;
  format?: Format | null;
  /** Export at once */
  isExport?: boolean | null;
  resolution?: Resolution | number | null;
  /** The entries, or an object with them in `value`. */
  updates: Updates | Update[];
  webhookMethod?: WebhookMethod | null;
  /** Who is told when the export ends */
  webhookUrl?: string | null;
  workspaceId?: string | null;
}

export interface Effect {
  /** `head-only` */
  type?: string | null;
}

/** What a body would become. */
export interface Estimate {
  /** Credits that are left; null where they are not counted */
  balance: number | null;
  credits: number | null;
  /** Seconds, estimated; null for a body that cannot become a film */
  duration: number | null;
  /** Of every line that says words, also where the film is refused for one of them */
  languages?: LineLanguage[];
  orientation?: Orientation | null;
  problems: Trouble[];
  resolution?: Resolution | null;
  scenes?: SceneTime[];
  valid: boolean;
  warnings: Warned[];
}

export interface ExportProject {
  /** Comes back in progress, project and webhook */
  callbackId?: string | null;
  format?: Format | null;
  projectId: string;
  resolution?: Resolution | number | null;
  webhookMethod?: WebhookMethod | null;
  /** Who is told when the export ends */
  webhookUrl?: string | null;
  workspaceId?: string | null;
}

/** An export, as it ended or stands. */
export interface ExportRecord {
  callbackId: string | null;
  createdAt: string;
  credits: number | null;
  /** Why there is no film */
  error: string | null;
  finishedAt: string | null;
  format: Format;
  id: string;
  resolution: Resolution;
  startedAt: string | null;
  state: State;
  /** Ordered with a test key: marked, and free */
  test: boolean;
  webhooks: DeliveryRecord[];
}

/** A project whose export was taken on. */
export interface Exported {
  projectId: string;
  /** What may not have been meant */
  warnings: Warned[];
}

/** Something about footage that its maker should know. */
export interface FindingItem {
  /** The take it is about, or what else */
  about: string;
  /** What would be right */
  advice: string;
  /** Whether it stands in the way */
  refused: boolean;
  /** With what was measured */
  what: string;
}

/** A font for `fontFamily`. */
export interface FontItem {
  createdAt?: string | null;
  family: string;
  /** Of a face that the account sent; whoever has an `id` has all that follows */
  id?: string | null;
  italic?: boolean | null;
  /** What was said when it was sent */
  licence?: string | null;
  /** Bytes */
  size?: number | null;
  /** What its maker calls it: `Bold Italic` */
  style?: string | null;
  /** 1 to 1000; 400 is regular */
  weight?: number | null;
}

/** What the film comes out as. */
export type Format = "mp4" | "wav" | "webm" | "mov";

export interface FromTemplate {
  /** Another presenter wherever somebody presents */
  aiName?: string | null;
  /** Another outfit */
  clothId?: string | null;
  name?: string | null;
}

/** Whether requests can be taken. */
export interface Health {
  reasons: string[];
  /** Exports that are being made */
  running: number;
  /** `ready` or `not ready` */
  status: string;
  version: string;
}

/** An address that is told of what happens in the account. */
export interface HookRecord {
  createdAt: string;
  enabled: boolean;
  events: WebhookEventChoice[];
  /** Until when the former secret signs beside it */
  formerSecretUntil: string | null;
  id: string;
  name: string;
  /** Signs what goes there, as Standard Webhooks spell it: `whsec_…` */
  secret: string;
  url: string;
}

export interface ImageClip {
  /** Degrees, clockwise about the upper left corner */
  angle?: number | null;
  animation?: Animation | null;
  /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
  fromStep?: number | null;
  height: number;
  id: string;
  /** Neither seen nor heard */
  isDelete?: boolean | null;
  /** Higher ones cover lower ones */
  layer: number;
  left: number;
  /** 1 to 100; of a presenter 0 to 1 */
  opacity?: number | null;
  scaleX?: number | null;
  scaleY?: number | null;
  /** Finds the clip in edits */
  tag?: string | null;
  top: number;
  /** Ours: goes with this step */
  untilStep?: number | null;
  width: number;
  source_url: string;
}

export interface ImageGenerator {
  /** `LANDSCAPE` (default), `PORTRAIT` or `SQUARE` */
  size?: string | null;
  /** `PHOTOGRAPHIC` (default), `VECTOR_IMAGE`, `ILLUSTRATION` or `3D` */
  style?: string | null;
  /** What is to be seen */
  topic: string;
}

/** A project that is made of a document. */
export interface Imported {
  projectId: string;
  /** `importing` while a long document is read, else `draft` */
  state: State;
}

export interface IssueKey {
  /** For people */
  name: string;
  /** Its films are marked, short, of at most 720 lines, and cost nothing */
  test?: boolean | null;
  /** Binds the pair to a workspace */
  workspaceId?: string | null;
}

/** A key pair at the one moment when its key can be seen. */
export interface IssuedKeyRecord {
  appId: string;
  id: string;
  test: boolean;
  userKey: string;
}

/** What names a project in the older generation. */
export interface Key {
  /** Id of the project */
  key: string;
  /** The same as `key` */
  projectId: string;
  /** What may not have been meant */
  warnings: Warned[];
}

/** A key pair without its secret. */
export interface KeyRecord {
  appId: string;
  createdAt: string;
  /** The end of the key, to tell pairs apart */
  hint: string;
  id: string;
  lastUsedAt: string | null;
  name: string;
  revokedAt: string | null;
  /** Its films are marked and cost nothing */
  test: boolean;
  /** The only one it sees; null for all */
  workspaceId: string | null;
}

/** A project whose export was taken on. */
export interface Keyed {
  /** Id of the project */
  key: string;
  /** The same as `key` */
  projectId: string;
  /** What may not have been meant */
  warnings: Warned[];
  /** Started ten seconds of film */
  cube_used: number;
}

/** A name for each language that the vendor's clients show. */
export interface Label {
  en: string;
  ko: string;
}

/** What decides which language a line is spoken in. */
export type LanguageToldBy = "author" | "voice" | "text" | "film" | "presenter";

export interface LegacyChange {
  clipIdx?: number | null;
  clipType?: string | null;
  /** `AIModel` or `clips` */
  property: string;
  sceneIdx: number;
  values: Record<string, unknown>;
}

export interface LegacyClip {
  detail: LegacyDetail;
  /** `image`, `background`, `text` or `userVideo` */
  type: string;
}

export interface LegacyDetail {
  /** Of a text */
  color?: string | null;
  /** Of a text */
  font?: string | null;
  layer?: number | null;
  locationX?: number | null;
  locationY?: number | null;
  scale?: number | null;
  /** Of a video */
  scaleX?: number | null;
  /** Of a video */
  scaleY?: number | null;
  /** Of a text */
  textSource?: string | null;
  /** Of a picture, a background or a video */
  url?: string | null;
}

export interface LegacyEdit {
  updates: LegacyChange[];
  /** Who is told when the result is there */
  webhook?: string | null;
}

/** Who speaks, placed by the middle: 0 is the middle of the canvas, 0.5 its right or bottom edge. */
export interface LegacyModel {
  clothes: string;
  language?: string | null;
  layer?: number | null;
  locationX: number;
  locationY: number;
  model: string;
  scale?: number | null;
  script: string;
}

export interface LegacyProject {
  /** Export at once */
  isExport?: boolean | null;
  projectName?: string | null;
  resolution?: Resolution | number | null;
  scenes: LegacySceneBody[];
  /** Who is told when the result is there */
  webhook?: string | null;
}

export interface LegacyScene {
  scene: LegacySceneBody;
  sceneIdx: number;
}

export interface LegacySceneBody {
  AIModel?: LegacyModel | null;
  clips?: LegacyClip[] | null;
}

export interface LegacySceneIndex {
  sceneIdx: number;
}

/** Whether a model may be shown. */
export interface LicenceItem {
  date: string;
  /** Who states that it may */
  licensedBy: string;
  /** What was stated */
  text: string;
  /** Name, authors, licence and terms of use as they stand in the file, once it is made; `refused` says what forbids it */
  told: string | null;
}

/** Which language a line of speech is taken to be in, and what it is spoken in. */
export interface LineLanguage {
  /** False for a text that plainly is not in the language that it is to be spoken in */
  fits: boolean;
  /** What its text plainly looks; null where it is short or cannot be told */
  heard: string | null;
  path: string;
  /** Index of its scene */
  scene: number;
  /** What it is spoken in; null where a voice speaks anything */
  spoken: string | null;
  toldBy: LanguageToldBy | null;
}

/** A project in a list. */
export interface Listed {
  callbackId: string | null;
  createdAt: string;
  download_url: string | null;
  id: string;
  name: string;
  orientation: Orientation;
  /** 0 to 100 */
  progress: number;
  state: State;
  updatedAt: string;
  workspaceId: string | null;
}

/** How films made of texts may look. */
export interface Look {
  /** For `templateId` */
  id: string;
  name: string;
  thumbnailUrl: string | null;
}

/** What a model made up. */
export interface MadeUp {
  downloadUrl: string;
  fileName: string;
}

/** A presenter. */
export interface Model {
  /** Other ids that mean the same presenter */
  aliases: string[];
  clothes: Cloth[];
  gender: string;
  /** For `ai_name`, `modelId` and `model` */
  id: string;
  label: Label;
  licence: string;
  /** `lit` or `drawn` */
  style: string;
  thumbnail: string | null;
  /** The presenter's own voice in each language */
  voices: VoiceOf[];
}

/** A presenter in the flat list. */
export interface ModelItem {
  avatarType: string;
  id: string;
  label: string;
  /** The same as `id` */
  modelId: string;
}

export interface ModelOfClip {
  /** Id of the presenter */
  ai_name: string;
  /** What an editor knows of its picture: says where the face goes */
  editor?: Record<string, unknown> | null;
  /** Id of the outfit */
  emotion: string;
  language?: string | null;
}

export interface Models {
  models: Model[];
}

export interface ModifyProject {
  /** Export at once */
  isExport?: boolean | null;
  /** Of the copy */
  name?: string | null;
  /** Changed itself */
  projectId?: string | null;
  /** A copy of it is changed */
  templateId?: string | null;
  /** What each tag becomes */
  updates: Record<string, unknown>;
}

export interface Music {
  source_url: string;
  volume?: number | null;
}

export interface NewAvatar {
  /** Of footage or a photo: whether the person is cut out of what is behind. `auto` does that where the person can be told well enough; `cut` refuses the footage otherwise */
  background?: "auto" | "cut" | "keep";
  /** `female`, `male` or `neutral` (default): which voice speaks for it */
  gender?: string | null;
  /** `footage` (default) of a person who speaks, one `photo`, or a `model` file */
  kind?: string | null;
  /** Spoken in the takes, and in the consent; default `en-US`. Lines and consent are given out in it where there are some (`GET /avatars/prompts`), else in English, which `promptLanguage` of the answer tells */
  language?: string | null;
  /** Scenes may name it by this too, as `ada-miller` */
  name: string;
  /** Id of a presenter of footage or of a photo: the same person in other clothes. `name` is then what those are called, and kind, gender and language are the presenter's. Scenes name it as an outfit (`clothId`, `emotion`) by `id` or name */
  outfitOf?: string | null;
}

export interface NewHook {
  /** Told of nothing while it is not */
  enabled?: boolean | null;
  /** Default: all */
  events?: WebhookEventChoice[] | null;
  /** For people */
  name?: string | null;
  /** Called by POST */
  url: string;
}

export interface NewTemplate {
  /** Others are made of it from then on */
  projectId: string;
}

/** How far an export is, in the words of both generations. */
export interface OlderProgress {
  backendTaskId: string | null;
  callbackId: string | null;
  captionsUrl: string | null;
  /** The same as a list */
  chapters?: Chapter[];
  /** Where the named scenes of the film begin, as WebVTT; null when fewer than two have a name */
  chaptersUrl: string | null;
  /** Null before 100 */
  downloadUrl: string | null;
  /** Seconds of film */
  duration: number | null;
  /** Null while it cannot be told */
  etaSeconds: number | null;
  finishedAt: string | null;
  /** Of sound alone: `{word, start, end}` in seconds */
  metaList?: Record<string, unknown>[] | null;
  /** What would start an export, where none was ever asked for */
  note?: string | null;
  /** 0 to 100; 100 only when the film can be downloaded */
  progress: number;
  projectId: string;
  sizeBytes: number | null;
  startedAt: string | null;
  state: State;
  step: Step | null;
  /** A playlist (HLS) that shows the film while it is made, from its first piece on, and for a day after it was asked for. Null for other formats than MP4 */
  streamUrl: string | null;
  thumbnailUrl: string | null;
  warnings: Warned[];
  key: string;
  /** The same as `downloadUrl` */
  url: string | null;
  /** The same as `downloadUrl` */
  videoUrl: string | null;
}

/** A project as it was sent. */
export interface OlderProject {
  key: string;
  /** Always empty */
  msg: string;
  response: Described;
}

/** Which side is longer. */
export type Orientation = "landscape" | "portrait";

export interface OwnScript {
  /** Ours: address of a recording of the text, heard in place of a voice */
  audio?: string | null;
  isTTS?: boolean | null;
  /** The spoken text */
  org: string;
  tts?: VoiceWish | null;
}

export interface PaperKept {
  /** As it was called */
  fileName: string;
  /** What `files` of `docs-to-video` takes */
  uri: string;
}

export interface PapersKept {
  uploadResults: PaperKept[];
}

/** What an account may do. */
export interface PlanRecord {
  /** Seconds */
  longestFilm: number;
  /** Credits of a calendar month (UTC); null means as many as wanted */
  monthlyCredits: number | null;
  name: string;
  /** Exports that run at once */
  parallelExports: number;
  /** Exports that wait */
  queuedExports: number;
  requestsPerMinute: number;
}

/** How far an export is. */
export interface Progress {
  backendTaskId: string | null;
  callbackId: string | null;
  captionsUrl: string | null;
  /** The same as a list */
  chapters?: Chapter[];
  /** Where the named scenes of the film begin, as WebVTT; null when fewer than two have a name */
  chaptersUrl: string | null;
  /** Null before 100 */
  downloadUrl: string | null;
  /** Seconds of film */
  duration: number | null;
  /** Null while it cannot be told */
  etaSeconds: number | null;
  finishedAt: string | null;
  /** Of sound alone: `{word, start, end}` in seconds */
  metaList?: Record<string, unknown>[] | null;
  /** What would start an export, where none was ever asked for */
  note?: string | null;
  /** 0 to 100; 100 only when the film can be downloaded */
  progress: number;
  projectId: string;
  sizeBytes: number | null;
  startedAt: string | null;
  state: State;
  step: Step | null;
  /** A playlist (HLS) that shows the film while it is made, from its first piece on, and for a day after it was asked for. Null for other formats than MP4 */
  streamUrl: string | null;
  thumbnailUrl: string | null;
  warnings: Warned[];
}

export interface ProjectAnswer {
  project: ProjectRecord;
}

/** All that is told of a project. */
export interface ProjectRecord {
  _id: string;
  /** Id of the latest export */
  backendTaskId: string | null;
  /** As it was sent */
  backgroundAudio?: Record<string, unknown> | null;
  /** Changes with every edit */
  baseInfoId: string;
  callbackId: string | null;
  createdAt: string;
  /** What the latest export cost */
  credit: number | null;
  /** Whether the latest export was paid for */
  creditSubstracted: boolean;
  dictionary: Record<string, unknown>;
  download_url: string | null;
  exportType: Format | null;
  /** Of a document's new version: what became of each slide */
  importChanges?: SlideChange[] | null;
  /** Of a document: what became something else than it was */
  importWarnings?: string[] | null;
  name: string;
  onAssetError?: string | null;
  orientation: Orientation;
  /** The document that the project was made of */
  originalUrl?: string | null;
  progress: number;
  resolution: Resolution | null;
  /** Counts edits, from 1 */
  revision: number;
  /** As they were stored, unknown keys included, so that they can be posted again */
  scenes: Record<string, unknown>[];
  state: State;
  /** Always null: projects here are not made of templates of the vendor */
  templateId: string | null;
  thumbnailUrl: string | null;
  updatedAt: string;
  userId: string;
  workspaceId: string | null;
}

/** A line to be read. */
export interface PromptItem {
  /** For `prompt` */
  number: number;
  text: string;
}

export interface Replayed {
  replayed: boolean;
}

/** Lines of the landscape form. */
export type Resolution = "480" | "720" | "1080" | "4k";

export interface Revoked {
  revoked: boolean;
}

/** A scene. `docs/scenes.md` has every field. */
export interface Scene {
  background: Background;
  clips: Clip[];
  /** Seconds; default: as long as the speech */
  duration?: number | null;
  /** Ours: what a chapter of the film is called; default: the scene's title */
  name?: string | null;
  /** Names the scene in edits */
  sceneIdx: number;
  /** What is spoken: exactly one entry */
  scripts?: Script[] | null;
  transition?: Transition | null;
  watermark?: boolean | null;
}

export interface SceneChanged {
  key: string;
  msg: string;
}

/** When a scene is to be seen. */
export interface SceneTime {
  seconds: number;
  /** Seconds into the film */
  start: number;
}

export interface Script {
  /** Ours: address of a recording of the text, heard in place of a voice */
  audio?: string | null;
  clothId: string;
  isTTS: boolean;
  /** Of a voice that is not seen; else the presenter's */
  language?: string | null;
  modelId: string;
  /** The spoken text */
  org: string;
  tts?: VoiceWish | null;
}

export interface ScriptsToVideo {
  /** Default: the first heading, else the first words */
  name?: string | null;
  options?: StoryOptions | null;
  /** What is said, with headings and lists as in Markdown or without any */
  scripts: string;
}

/** What was sent to an endpoint. */
export interface SentRecord {
  createdAt: string;
  /** Of the account's, where it went to one */
  endpointId: string | null;
  event: WebhookEvent;
  /** Sent as `webhook-id`, the same on every try */
  id: string;
  state: DeliveryState;
  tries: TryRecord[];
  url: string;
  /** As it was sent */
  body: string;
}

export interface Shadow {
  blur?: number | null;
  color?: string | null;
  enabled?: boolean | null;
  offsetX?: number | null;
  offsetY?: number | null;
}

export interface ShapeClip {
  /** Degrees, clockwise about the upper left corner */
  angle?: number | null;
  animation?: Animation | null;
  /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
  fromStep?: number | null;
  height: number;
  id: string;
  /** Neither seen nor heard */
  isDelete?: boolean | null;
  /** Higher ones cover lower ones */
  layer: number;
  left: number;
  /** 1 to 100; of a presenter 0 to 1 */
  opacity?: number | null;
  scaleX?: number | null;
  scaleY?: number | null;
  /** Finds the clip in edits */
  tag?: string | null;
  top: number;
  /** Ours: goes with this step */
  untilStep?: number | null;
  width: number;
  fill: string;
  shadow?: Shadow | null;
  shapeName: ShapeName;
  stroke?: string | null;
  /** Of rounded corners */
  strokeRadius?: number | null;
  strokeWidth?: number | null;
}

/** What is drawn. */
export type ShapeName = "Line_v2" | "Arrow_1_v2" | "Arrow_2_v2" | "Circle" | "Triangle" | "Square" | "Parallelogram" | "Drop_1" | "Polygon" | "Pentagon" | "Oval_1" | "Oval_2" | "Hexagon_1" | "Hexagon_2" | "Diamond" | "Star" | "Rectangle_corner0";

export interface SimpleAudio {
  clothes?: string | null;
  language: string;
  /** Accepted; never changes the result */
  locale?: string | null;
  model: string;
  text: string;
  /** Who is told when the result is there */
  webhook?: string | null;
}

export interface SimpleAudio3 {
  language: string;
  model: string;
  text: string;
  /** `{voice, speed, language}` for another voice than the model's */
  tts?: Record<string, unknown> | null;
}

export interface SimpleCustom {
  /** Default: the presenter's first outfit */
  clothes?: string | null;
  language: string;
  model: string;
  text: string;
}

export interface SimpleVideo {
  clothes: string;
  format?: Format | null;
  /** Language of the text; the model has to speak it */
  language: string;
  /** Accepted; never changes the result */
  locale?: string | null;
  model: string;
  resolution?: Resolution | number | null;
  text: string;
  /** Percent of the empty space above the head that is cropped away: at 100 the head touches the top */
  uppercut?: number | null;
  /** Who is told when the result is there */
  webhook?: string | null;
}

export interface SimpleVideo3 {
  /** Comes back in progress, project and webhook */
  callbackId?: string | null;
  clothes: string;
  format?: Format | null;
  /** Export at once */
  isExport?: boolean | null;
  language: string;
  model: string;
  resolution?: Resolution | number | null;
  text: string;
  /** Percent of the empty space above the head that is cropped away: at 100 the head touches the top */
  uppercut?: number | null;
  webhookMethod?: WebhookMethod | null;
  /** Who is told when the export ends */
  webhookUrl?: string | null;
  workspaceId?: string | null;
}

/** What became of a slide when a document's new version was imported. */
export interface SlideChange {
  /** `kept`, `changed`, `new`, `removed`; `notes` when its notes alone are others, `notes-kept` when those were rewritten in the project and stay */
  change: string;
  name: string;
  /** Where it is now */
  sceneIdx?: number | null;
  /** As the document counts; of a slide that is gone, as its old version did */
  slide: number;
}

/** A text that was spoken. */
export interface SpokenAnswer {
  downloadUrl: string;
  /** Seconds */
  duration: number;
  fileName: string;
  /** `{word, start, end}` in seconds */
  metaList: Record<string, unknown>[];
  /** The same without the address of the service */
  path: string;
  voice: string;
  warnings: string[];
}

/** Where a project is; `exported` when its film can be downloaded. */
export type State = "draft" | "importing" | "queued" | "synthesizing" | "rendering" | "finishing" | "exported" | "failed" | "cancelled";

/** What is being done. */
export type Step = "waiting" | "starting" | "fetching" | "speaking" | "drawing" | "mixing" | "packing" | "checking" | "storing" | "done";

/** Where something stands on the canvas of 1920×1080 or 1080×1920 units. */
export interface Stood {
  /** Degrees, clockwise about the upper left corner */
  angle?: number | null;
  animation?: Animation | null;
  /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
  fromStep?: number | null;
  height: number;
  id: string;
  /** Neither seen nor heard */
  isDelete?: boolean | null;
  /** Higher ones cover lower ones */
  layer: number;
  left: number;
  /** 1 to 100; of a presenter 0 to 1 */
  opacity?: number | null;
  scaleX?: number | null;
  scaleY?: number | null;
  /** Finds the clip in edits */
  tag?: string | null;
  top: number;
  /** Ours: goes with this step */
  untilStep?: number | null;
  width: number;
}

/** Bytes of an account's files. */
export interface Storage {
  /** Documents, and the pictures of their pages */
  decks: number;
  films: number;
  /** What the plan gives; null where nobody counts */
  limit: number | null;
  /** Presenters of footage, and their takes */
  presenters: number;
  uploads: number;
  /** All of it */
  used: number;
}

/** A film that is made of texts. */
export interface StoryMade {
  /** The same as `projectId` */
  automationJobId: string;
  projectId: string;
  warnings: Warned[];
}

export interface StoryOptions {
  audience?: string | null;
  /** What follows is for the language model. Seconds that the film shall last; default 60 */
  duration?: number | null;
  /** Of the text; default: heard from it */
  language?: string | null;
  /** Accepted; never changes the result, and is warned of */
  media?: string | null;
  /** Who presents; default: the account's own presenter */
  model?: string | null;
  objective?: string | null;
  /** `mobile` means `portrait`, everything else `landscape` */
  orientation?: string | null;
  /** Of a text: `ai` has a language model say it better first; `original`, the default here, leaves it as it is */
  scriptOption?: string | null;
  /** Accepted; never changes the result, and is warned of */
  speed?: number | null;
  /** Accepted; never changes the result, and is warned of */
  style?: string | null;
  /** Id of a look */
  templateId?: string | null;
  tone?: string | null;
  /** Accepted; never changes the result, and is warned of */
  useGenerativeHighQuality?: boolean | null;
  voiceOnly?: boolean | null;
}

/** A file of footage. */
export interface TakeItem {
  createdAt: string;
  /** What was found in it when it was last looked at */
  findings: FindingItem[];
  /** `01` to `40`, `all`, `idle`, `talk`, `photo`, `model`, `consent`, or one of its own */
  name: string;
  /** Of the prompt that is read in it */
  prompt: number | null;
  /** Bytes */
  size: number;
  /** What is said */
  text: string;
}

/** A project that others are made of. */
export interface TemplateItem {
  /** For `editor/template/{id}`, and for `templateId` of `editor/project/modify` */
  id: string;
  name: string;
  orientation: Orientation;
  sceneCount: number;
  /** Of its latest film */
  thumbnailUrl: string | null;
}

export interface TextClip {
  /** Degrees, clockwise about the upper left corner */
  angle?: number | null;
  animation?: Animation | null;
  /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
  fromStep?: number | null;
  height: number;
  id: string;
  /** Neither seen nor heard */
  isDelete?: boolean | null;
  /** Higher ones cover lower ones */
  layer: number;
  left: number;
  /** 1 to 100; of a presenter 0 to 1 */
  opacity?: number | null;
  scaleX?: number | null;
  scaleY?: number | null;
  /** Finds the clip in edits */
  tag?: string | null;
  top: number;
  /** Ours: goes with this step */
  untilStep?: number | null;
  width: number;
  align?: "left" | "center" | "right" | "justify";
  backgroundColor?: string | null;
  fill: string;
  fontFamily?: string | null;
  /** Points: 4/3 of a canvas unit */
  fontSize: number;
  fontStyle?: "normal" | "italic";
  /** `normal`, `bold` or 1 to 1000 */
  fontWeight?: string | number | null;
  lineHeight?: number | null;
  /** Ours: stretches of the text with looks of their own; they count while, joined, they are the `text` */
  runs?: TextRun[] | null;
  shadow?: Shadow | null;
  stroke?: string | null;
  strokeWidth?: number | null;
  text: string;
  underline?: boolean | null;
}

export interface TextGenerator {
  options?: StoryOptions | null;
  topic: string;
}

/** A stretch of a text. What it does not say is as the clip has it. */
export interface TextRun {
  fill?: string | null;
  fontFamily?: string | null;
  fontStyle?: "normal" | "italic";
  /** `normal`, `bold` or 1 to 1000 */
  fontWeight?: string | number | null;
  /** Raised or lowered, and smaller */
  position?: "normal" | "super" | "sub";
  /** How far above the line's baseline, a multiple of `fontSize`; default: as `position` has it */
  rise?: number | null;
  /** A multiple of `fontSize`; default: 1, raised or lowered 0.6 */
  scale?: number | null;
  text: string;
  underline?: boolean | null;
}

export interface TextWritten {
  /** What is said, without headings */
  script: string;
}

export interface Token {
  /** For the header `Authorization`, for 24 hours */
  token: string;
}

export interface TokenRequest {
  appId: string;
  userKey: string;
}

export interface TopicToVideo {
  /** Default: what is written calls itself */
  name?: string | null;
  options?: StoryOptions | null;
  topic: string;
}

/** How one scene follows another. */
export interface Transition {
  /** Seconds */
  duration?: number | null;
  type: TransitionType;
}

/** How a scene takes the picture from the one before it; the word names the side that it comes from. */
export type TransitionType = "none" | "fade" | "push-right" | "push-left" | "push-up" | "push-down";

/** Something that is wrong with a body. */
export interface Trouble {
  code: number;
  /** What is wrong and what would be right */
  msg: string;
  name: string;
  path: string;
}

export interface TryRecord {
  at: string;
  error: string | null;
  /** What it took */
  millis: number;
  /** What the receiver answered */
  status: number | null;
}

export interface Update {
  clipIdx?: number | null;
  id?: string | null;
  sceneIdx: number;
  tag?: string | null;
  /** A clip's type, or `background` */
  type: "aiModel" | "shape" | "image" | "textImage" | "videoImage" | "audio" | "background";
  /** Fields of the clip; `script` is what a presenter says */
  values: Record<string, unknown>;
}

export interface Updates {
  backgroundAudio?: Music | null;
  value: Update[];
}

export interface UploadedDocument {
  fileName?: string | null;
  /** As `upload-files` gave it */
  uri: string;
}

export interface UrlToVideo {
  /** Default: what is written calls itself */
  name?: string | null;
  options?: StoryOptions | null;
  /** Of a page that can be read without signing in */
  url: string;
}

export interface VideoClip {
  /** Degrees, clockwise about the upper left corner */
  angle?: number | null;
  animation?: Animation | null;
  /** Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1 */
  fromStep?: number | null;
  height: number;
  id: string;
  /** Neither seen nor heard */
  isDelete?: boolean | null;
  /** Higher ones cover lower ones */
  layer: number;
  left: number;
  /** 1 to 100; of a presenter 0 to 1 */
  opacity?: number | null;
  scaleX?: number | null;
  scaleY?: number | null;
  /** Finds the clip in edits */
  tag?: string | null;
  top: number;
  /** Ours: goes with this step */
  untilStep?: number | null;
  width: number;
  video_url: string;
  volume?: number | null;
}

export interface VideoGenerator {
  /** *Ours*: `LANDSCAPE` (default), `PORTRAIT` or `SQUARE` */
  size?: string | null;
  /** What is to be seen */
  topic: string;
}

export interface VoiceGenerator {
  language: string;
  /** Id of a voice */
  model: string;
  /** What is spoken */
  script: string;
  /** Accepted; the id says it all */
  type?: string | null;
}

/** A voice, for `tts.voice`. */
export interface VoiceItem {
  /** False when its files are not installed */
  available: boolean;
  /** A tone instead of a voice */
  forTests: boolean;
  gender: string;
  id: string;
  language: string;
  licence: string;
  name: string;
  type: string;
}

export interface VoiceOf {
  language: string;
  voice: string;
}

export interface VoiceWish {
  language?: string | null;
  speed?: number | null;
  /** Id of a voice */
  voice?: string | null;
}

/** Seconds before work begins. */
export interface Waiting {
  /** On a check of what is linked, or a text that is spoken at once */
  checkSeconds: number;
  /** On a document */
  documentSeconds: number;
  /** On a preview or a sample of a voice */
  previewSeconds: number;
}

/** Something that works, though perhaps not as it was meant. */
export interface Warned {
  /** The same as `msg` */
  message: string;
  msg: string;
  path: string;
}

/** What a webhook tells. */
export type WebhookEvent = "export.started" | "export.completed" | "export.failed" | "export.cancelled" | "import.completed" | "import.failed" | "ping";

/** What an endpoint can be told of. */
export type WebhookEventChoice = "export.started" | "export.completed" | "export.failed" | "export.cancelled" | "import.completed" | "import.failed";

/** How the webhook is called. */
export type WebhookMethod = "POST" | "GET";

export interface WebhookSecret {
  /** As Standard Webhooks spell it: `whsec_…` */
  secret: string;
}

export interface WorkspaceItem {
  workspaceId: string;
  workspaceName: string;
}

/** What the service refused, and why. */
export class CompereError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** A number of the table at `docUrl`. */
  readonly code?: number;
  /** The code's name, such as `invalid_body`. */
  readonly kind?: string;
  readonly details: { path: string; msg: string }[];
  readonly docUrl?: string;
  readonly requestId?: string;
  /** Of a failed export: its progress record. */
  readonly data?: unknown;
}

/** A service and who asks it. Tokens are asked for, and asked for again when a day is over. */
export class Compere {
  constructor(base: string, who?: { appId?: string; userKey?: string; token?: string });

  /** Polls until the film is there; throws CompereError when there will be none. Times are milliseconds. */
  wait(
    projectId: string,
    options?: { every?: number; patience?: number; onProgress?: (progress: Progress) => void },
  ): Promise<Progress>;
  /** The bytes behind a link, or of the film of a progress record. */
  download(what: string | Progress): Promise<Uint8Array>;

  /**
   * Ask how far an export is (1.4.x)
   */
  readProgressOlder(key: string): Promise<OlderProgress>;
  /**
   * Create and export a project (1.4.x)
   */
  createProjectOlder(body: LegacyProject, options?: { idempotencyKey?: string }): Promise<Keyed>;
  /**
   * Copy a project (1.4.x)
   */
  duplicateProject(key: string, options?: { idempotencyKey?: string }): Promise<Copied>;
  /**
   * Read the newest project of a name (1.4.x)
   */
  readProjectByName(name: string): Promise<OlderProject>;
  /**
   * Read a project (1.4.x)
   */
  readProjectOlder(key: string): Promise<OlderProject>;
  /**
   * Export a changed copy of a project (1.4.x)
   *
   * The original stays as it is; the answer has the key of the new project.
   */
  editProjectOlder(key: string, body: LegacyEdit, options?: { idempotencyKey?: string }): Promise<Keyed>;
  /**
   * Replace a scene (1.4.x)
   */
  replaceScene(key: string, body: LegacyScene, options?: { ifMatch?: string }): Promise<SceneChanged>;
  /**
   * Insert a scene (1.4.x)
   *
   * Later scenes move back by one.
   */
  addScene(key: string, body: LegacyScene, options?: { idempotencyKey?: string; ifMatch?: string }): Promise<SceneChanged>;
  /**
   * Delete a scene (1.4.x)
   */
  deleteScene(key: string, body: LegacySceneIndex, options?: { ifMatch?: string }): Promise<Keyed>;
  /**
   * A presenter's voice
   *
   * The result is a WAV file at 48 kHz; it comes by webhook, progress or `simple/find`.
   */
  simpleAudioOlder(body: SimpleAudio, options?: { idempotencyKey?: string }): Promise<Key>;
  /**
   * The result of a simple request
   */
  findSimple(key: string): Promise<OlderProgress>;
  /**
   * A presenter alone on chroma green
   *
   * The result comes by webhook, progress or `simple/find`.
   */
  simpleVideoOlder(body: SimpleVideo, options?: { idempotencyKey?: string }): Promise<Key>;
  /**
   * The account, its plan and its credits
   */
  readAccount(): Promise<AccountRecord>;
  /**
   * What credits were spent on, newest first
   */
  listCredits(options?: { limit?: number; after?: string }): Promise<CreditMovement[]>;
  /**
   * Key pairs, without their secrets
   */
  listKeys(): Promise<KeyRecord[]>;
  /**
   * Issue a key pair
   *
   * The key is in this answer and nowhere else. With `workspaceId` it sees and makes only what is in that workspace. With `test` its films are marked, at most a minute long and of 720 lines, and cost nothing.
   */
  issueKey(body: IssueKey, options?: { idempotencyKey?: string }): Promise<IssuedKeyRecord>;
  /**
   * Revoke a key pair
   *
   * Its tokens end with it.
   */
  revokeKey(key: string): Promise<Revoked>;
  /**
   * The secret that webhooks are signed with
   */
  readWebhookSecret(): Promise<WebhookSecret>;
  /**
   * Replace the secret that webhooks are signed with
   *
   * The old one signs beside it for 24 hours.
   */
  rotateWebhookSecret(options?: { idempotencyKey?: string }): Promise<WebhookSecret>;
  /**
   * Webhook endpoints
   */
  listWebhookEndpoints(): Promise<HookRecord[]>;
  /**
   * Add a webhook endpoint
   *
   * It is told of the `events` it names, of all where it names none, in every project of the account. What is sent is described under `webhooks`; it is signed with the endpoint's own secret, which is in the answer.
   */
  addWebhookEndpoint(body: NewHook, options?: { idempotencyKey?: string }): Promise<HookRecord>;
  /**
   * A webhook endpoint
   */
  readWebhookEndpoint(id: string): Promise<HookRecord>;
  /**
   * Change a webhook endpoint
   *
   * What is not said stays as it is.
   */
  changeWebhookEndpoint(id: string, body: ChangeHook): Promise<HookRecord>;
  /**
   * Delete a webhook endpoint
   *
   * What is on its way there is not sent any more.
   */
  deleteWebhookEndpoint(id: string): Promise<Deleted>;
  /**
   * What was sent to a webhook endpoint, newest first
   *
   * `webhooks/{delivery}/replay` sends one once more.
   */
  listWebhookDeliveries(id: string, options?: { limit?: number; after?: string }): Promise<SentRecord[]>;
  /**
   * Call a webhook endpoint now
   *
   * Sends the event `ping`, waits up to twelve seconds for the receiver, and answers with what it said. It is not tried again.
   */
  pingWebhookEndpoint(id: string): Promise<SentRecord>;
  /**
   * Replace the secret of a webhook endpoint
   *
   * The old one signs beside it for 24 hours.
   */
  rotateWebhookEndpointSecret(id: string, options?: { idempotencyKey?: string }): Promise<HookRecord>;
  /**
   * List uploaded files, newest first
   *
   * The header `X-Total-Count` has the number of all.
   */
  listAssets(options?: { page?: number; limit?: number; after?: string }): Promise<AssetItem[]>;
  /**
   * Upload a file
   *
   * A form with `file`, or the bare file with `?name=`. The answer's `url` goes into clips. What the file is decides its content, not its name.
   */
  uploadAsset(file: Blob, options?: { name?: string | null; idempotencyKey?: string }): Promise<AssetItem>;
  /**
   * Delete an uploaded file
   *
   * Scenes that link it will miss it.
   */
  deleteAsset(id: string): Promise<Deleted>;
  /**
   * Is my token good?
   */
  checkToken(): Promise<Authenticated>;
  /**
   * Exchange a key pair for a token
   *
   * The token is good for 24 hours. There is no refresh: ask again.
   */
  issueToken(body: TokenRequest): Promise<Token>;
  /**
   * Revoke the presented token
   */
  revokeToken(): Promise<Revoked>;
  /**
   * A project of uploaded documents
   *
   * A presentation becomes a scene for each slide, whose notes are said; texts and Word documents become a storyboard, with headings, lists and pictures as they stand. The answer comes before the project is there: `automation/progress` says how far it is. Nothing is exported yet.
   */
  storyboardDocuments(body: DocsToVideo, options?: { idempotencyKey?: string }): Promise<StoryMade>;
  /**
   * Upload documents that a film is to be made of
   *
   * A form with `files`: PDF, PPT, PPTX, DOCX, or plain text with or without headings and lists. They are kept for a day.
   */
  uploadDocuments(file: Blob, options?: { files?: string[]; idempotencyKey?: string }): Promise<PapersKept>;
  /**
   * How far a storyboard is
   */
  readStoryboardProgress(options?: { projectId?: string }): Promise<AutomationProgress>;
  /**
   * How far a storyboard is, by its id
   *
   * What a text becomes is there as soon as its request is answered; a presentation is read slide by slide.
   */
  readStoryboardProgressOf(id: string): Promise<AutomationProgress>;
  /**
   * A project of a text
   *
   * Headings become titles, lists become points, paragraphs are said as they stand; with `scriptOption: "ai"` a language model says them better first, where the operator has named one (else 4031). Nothing is exported yet.
   */
  storyboardText(body: ScriptsToVideo, options?: { idempotencyKey?: string }): Promise<StoryMade>;
  /**
   * A project about a topic
   *
   * A language model writes what is said, where the operator has named one; else 4031. Nothing is exported yet.
   */
  storyboardTopic(body: TopicToVideo, options?: { idempotencyKey?: string }): Promise<StoryMade>;
  /**
   * A project that tells what a page says
   *
   * The page is fetched by the rules for every link. A language model writes what is said, where the operator has named one; else 4031. Nothing is exported yet.
   */
  storyboardPage(body: UrlToVideo, options?: { idempotencyKey?: string }): Promise<StoryMade>;
  /**
   * List the account's presenters of footage, newest first
   */
  listAvatars(): Promise<AvatarItem[]>;
  /**
   * Begin a presenter of your own footage, photo or model file (beta)
   *
   * It belongs to the account, and nobody else sees it. What is to come next stands in `missing`: of a person, their consent before a camera; of a model, a statement of its licence.
   */
  createAvatar(body: NewAvatar, options?: { idempotencyKey?: string }): Promise<AvatarRecord>;
  /**
   * Begin a presenter with one linked video
   *
   * The video is fetched by the rules for every link and kept as a take. Nobody here recognises speech, so it needs the text of what is said in it; what else is missing (silence, consent) is told in the answer. No voice is cloned.
   */
  createCustomAvatar(body: CustomAvatar, options?: { idempotencyKey?: string }): Promise<CustomAvatarMade>;
  /**
   * Design a presenter
   *
   * Faces of the cast, mixed, and what leaves them: scenes may name it at once. It belongs to the account, and nobody else sees it. `compere avatar design --fields` lists what may be said.
   */
  designAvatar(body: AvatarDesign, options?: { idempotencyKey?: string }): Promise<AvatarRecord>;
  /**
   * A design to begin with
   *
   * A member of the cast spelled out, or somebody whom one might meet.
   */
  beginDesign(options?: { from?: string; seed?: string }): Promise<DesignFile>;
  /**
   * A design, drawn
   *
   * Nothing is kept.
   */
  lookAtDesign(body: AvatarDesign, options?: { outfit?: string; width?: string; fine?: string }): Promise<Uint8Array>;
  /**
   * Begin a presenter with one linked photo
   *
   * The photo is fetched by the rules for every link. The person in it has to agree before a camera, which `missing` says.
   */
  createDreamAvatar(body: DreamAvatar, options?: { idempotencyKey?: string }): Promise<CustomAvatarMade>;
  /**
   * Lines that a presenter is filmed with, one clip each
   *
   * The first twenty-four are enough for most. A presenter's are those of its `promptLanguage`.
   */
  listPrompts(options?: { language?: string }): Promise<PromptItem[]>;
  /**
   * Read a presenter of footage
   *
   * Its state, how far it is made, what was found in each take, and the films made with it; of one that was withdrawn too.
   */
  readAvatar(id: string): Promise<AvatarRecord>;
  /**
   * Take a presenter of footage away
   *
   * With its takes, its consent, what was made of them, and all pictures of it that are kept for later films. Exports that show it end. The answer names the films that were made with it: they stay until their projects are deleted. Uploaded files that takes were begun from (`assetId`) go too, but for those that projects or other presenters use; the answer says which stay.
   */
  withdrawAvatar(id: string, options?: { originals?: string }): Promise<AvatarWithdrawn>;
  /**
   * Make the presenter of its footage
   *
   * It waits for its turn, one of an account at a time. Read it to follow; then an operator looks at consent and takes.
   */
  buildAvatar(id: string, options?: { background?: string }): Promise<AvatarRecord>;
  /**
   * End that
   *
   * The takes stay.
   */
  cancelAvatarBuild(id: string): Promise<BuildEnded>;
  /**
   * Give out the text of consent, or send its recording; or state a model's licence
   *
   * Of a model, JSON with `licensedBy` states that it may be shown. What its file forbids is refused whatever is stated. Else JSON with `person` and `purpose` gives out a text with six random words, and `consent.withdrawalLink`, which belongs to the person: with it they take the presenter away without an account. It is told this once, and a repetition of the request has none. A form (`multipart/form-data`) with `file`, or JSON with `assetId`, is the recording of the person who reads the text.
   */
  consentToAvatar(id: string, body: ConsentAsk, options?: { idempotencyKey?: string }): Promise<AvatarRecord>;
  /**
   * The design of a presenter, to be kept as a file or changed
   */
  readDesign(id: string): Promise<DesignFile>;
  /**
   * Design a presenter anew
   *
   * Films that are made from then on show it so; those that there are stay as they are.
   */
  redesignAvatar(id: string, body: AvatarDesign): Promise<AvatarRecord>;
  /**
   * Send a take
   *
   * A form with `file` and `prompt` (the number of a line, `idle` for silence, `talk` for free talk, `photo` or `model`) or `text` (what is said); or JSON with `assetId` of an uploaded file instead of the file. A take for the same line takes the place of the one before.
   */
  sendTake(id: string, file: Blob, options?: { assetId?: string | null; name?: string | null; prompt?: string | null; text?: string | null; idempotencyKey?: string }): Promise<TakeItem>;
  /**
   * Take a take away
   */
  deleteTake(id: string, name: string): Promise<Deleted>;
  /**
   * Backgrounds that come with the product
   *
   * `source_url` goes into a scene's background as it is.
   */
  listBackgrounds(options?: { orientation?: string }): Promise<BackgroundItem[]>;
  /**
   * Presenters as a flat list
   */
  listModelsFlat(): Promise<ModelItem[]>;
  /**
   * How films made of texts may look
   *
   * `templateId` of their options takes the ids.
   */
  listLooks(): Promise<Look[]>;
  /**
   * Workspaces of the account
   */
  listWorkspaces(): Promise<WorkspaceItem[]>;
  /**
   * Check a body
   *
   * Takes what create takes, of both generations, and answers with what is wrong with it, how long the film will be and what it will cost. With `checkAssets` the links in it are fetched too.
   */
  checkBody(body: CreateProject): Promise<Estimate>;
  /**
   * Ask how far an export is
   *
   * A failed export answers with status 200, `success` false and error 5010, so that every polling loop ends.
   */
  readProgress(id: string): Promise<Progress>;
  /**
   * List projects, newest first
   *
   * Only exported ones unless `state` says otherwise. The header `X-Total-Count` has the number of all.
   */
  listProjects(options?: { page?: number; limit?: number; state?: string; workspaceId?: string; name?: string; after?: string }): Promise<Listed[]>;
  /**
   * Create a project, and export it
   *
   * With `isExport` false it is stored only. All problems of the body are reported together.
   */
  createProject(body: CreateProject, options?: { idempotencyKey?: string }): Promise<Created>;
  /**
   * Delete projects
   *
   * Unknown and foreign ids are passed over. Running exports are cancelled, files go.
   */
  deleteProjects(body: DeleteProjects): Promise<Deleted>;
  /**
   * Export a project
   *
   * The export takes a snapshot: later edits do not touch it. It becomes the one that progress reports.
   */
  exportProject(body: ExportProject, options?: { idempotencyKey?: string }): Promise<Exported>;
  /**
   * Change a project by its tags
   *
   * `title` is the first clip with that tag, `title_2` the third, `scripts_1` what is said in the second scene. With `templateId` instead of `projectId` a copy is changed. Exported only when `isExport` is true.
   */
  modifyProject(body: ModifyProject, options?: { idempotencyKey?: string; ifMatch?: string }): Promise<Created>;
  /**
   * Make a project of a PDF, PPT, PPTX or ODP
   *
   * A form with `file`. Speaker notes become scripts, spoken by a presenter who hides nothing of the slides: `layout` (ours) chooses how. With `editable` (ours) texts and pictures of a PPTX become clips where they then look as the slide does; `importWarnings` of the project says where they do not. A long document answers with a project that is `importing`. With `projectId` (ours) it is a new version of that project's document: scenes of slides that are as they were stay as they have been edited.
   */
  importDocument(file: Blob, options?: { background?: string | null; cues?: boolean | null; editable?: boolean | null; hidden?: boolean | null; layout?: "auto" | "beside" | "corner" | "circle" | "voice"; name?: string | null; notes?: boolean | null; outfit?: string | null; presenter?: string | null; projectId?: string | null; quiet?: "listen" | "draft" | "written" | "empty" | "skip"; side?: "right" | "left"; slides?: string | null; voice?: string | null; workspaceId?: string | null; idempotencyKey?: string }): Promise<Imported>;
  /**
   * Read a project
   *
   * Scenes come back exactly as they were stored, unknown keys included, so that they can be posted again.
   */
  readProject(id: string): Promise<ProjectAnswer>;
  /**
   * Edit a project, and export it
   *
   * Entries select by `sceneIdx` and `type`, and may be narrowed by `id`, `tag` or `clipIdx`. All of them apply, or none. With `copy` the edit goes into a new project and the original stays as it is.
   */
  editProject(id: string, body: EditProject, options?: { idempotencyKey?: string; ifMatch?: string }): Promise<Created>;
  /**
   * Cancel a project's running export
   *
   * Nothing is charged. `cancelled` is false when there was nothing to stop.
   */
  cancelExport(id: string): Promise<Cancelled>;
  /**
   * Exports of a project and the webhooks that told of them, newest first
   */
  listExports(id: string, options?: { limit?: number; after?: string }): Promise<ExportRecord[]>;
  /**
   * One frame of a project
   */
  previewProject(id: string, options?: { scene?: string; t?: string; width?: string; format?: string }): Promise<Uint8Array>;
  /**
   * List projects, under an older name
   */
  listProjectsOlder(options?: { page?: number; limit?: number; state?: string; workspaceId?: string; name?: string; after?: string }): Promise<Listed[]>;
  /**
   * A copy of a project
   *
   * With another name or another presenter. What is to be other comes as JSON, as a form or in the query. Nothing is exported yet.
   */
  createFromTemplate(id: string, body: FromTemplate, options?: { idempotencyKey?: string }): Promise<Created>;
  /**
   * Fonts for `fontFamily`
   *
   * First the account's own, face by face, with an `id` each; then the families that everybody has.
   */
  listFonts(): Promise<FontItem[]>;
  /**
   * Send a font
   *
   * A form with `file` (TTF, OTF or TTC, at most 10 MB) and `licence=true`, by which you say that you may use the font in films and may give those films to others. Texts name its family from then on, also those of decks that are imported; other accounts do not have it. The answer has each of its faces. Refused are fonts whose maker forbids it (`fsType`), and families that everybody has.
   */
  uploadFont(file: Blob, options?: { licence?: "true"; idempotencyKey?: string }): Promise<FontItem[]>;
  /**
   * Delete a font of the account
   *
   * Films that were asked for before are made with it. Texts that name it are written with another from then on.
   */
  deleteFont(id: string): Promise<Deleted>;
  /**
   * Presenters and what they wear
   */
  listModels(): Promise<Models>;
  /**
   * A text spoken, while you wait
   *
   * With the voice of a presenter, or of `tts`. `metaList` has the times of the words.
   */
  speakText(body: SimpleAudio3, options?: { idempotencyKey?: string }): Promise<SpokenAnswer>;
  /**
   * A presenter alone on chroma green, in the first outfit unless another is named
   */
  simpleCustom(body: SimpleCustom, options?: { idempotencyKey?: string }): Promise<CustomMade>;
  /**
   * A presenter alone on chroma green, latest form
   *
   * Exported unless `isExport` is false.
   */
  simpleVideo(body: SimpleVideo3, options?: { idempotencyKey?: string }): Promise<Exported>;
  /**
   * How much room do my files take?
   *
   * Uploads, imports and exports beyond the plan's `limit` are refused with 4130 until something is deleted.
   */
  readStorage(): Promise<Storage>;
  /**
   * Projects that others are made of
   */
  listTemplates(): Promise<TemplateItem[]>;
  /**
   * Call a project a template
   *
   * It stays the project it is, and is listed under `templates`. `editor/template/{id}` makes others of it.
   */
  addTemplate(body: NewTemplate, options?: { idempotencyKey?: string }): Promise<TemplateItem>;
  /**
   * Call a project a template no longer
   *
   * The project stays.
   */
  dropTemplate(id: string): Promise<Deleted>;
  /**
   * A picture of a topic
   *
   * An image model makes it, where the operator has named one; else 4031. It is kept for some days: fetch it, or link it in a film.
   */
  generateImage(body: ImageGenerator, options?: { idempotencyKey?: string }): Promise<MadeUp>;
  /**
   * A text about a topic
   *
   * As a presenter would say it. A language model writes it, where the operator has named one; else 4031.
   */
  generateText(body: TextGenerator, options?: { idempotencyKey?: string }): Promise<TextWritten>;
  /**
   * A short film of a topic
   *
   * A video model makes it, where the operator has named one; else 4031. It is kept for some days: fetch it, or link it in a film.
   */
  generateVideo(body: VideoGenerator, options?: { idempotencyKey?: string }): Promise<MadeUp>;
  /**
   * A text spoken by a voice alone
   */
  generateVoice(body: VoiceGenerator, options?: { idempotencyKey?: string }): Promise<SpokenAnswer>;
  /**
   * Voices for `tts.voice`
   */
  listVoices(options?: { language?: string }): Promise<VoiceItem[]>;
  /**
   * How long would I wait?
   *
   * Before work on something begins that I ask for now, as things go. Accounts take turns, so that it is mostly my own requests that count.
   */
  readWaiting(): Promise<Waiting>;
  /**
   * Send a webhook once more
   */
  replayWebhook(delivery: string, options?: { idempotencyKey?: string }): Promise<Replayed>;
  /**
   * Watch a film while it is made
   *
   * The playlists and fragments (HLS) of an export's `streamUrl`. The link carries its own permission and expires. The playlist that it names is waited for, 8 seconds at most; 204 after that means that nothing is drawn yet.
   */
  watchFilm(exportId: string, expires: string, signature: string, name: string): Promise<Uint8Array>;
  /**
   * The same as `/health/ready`
   */
  health(): Promise<Health>;
}
