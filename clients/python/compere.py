"""Compere's API, typed, with nothing but the standard library.

Made by scripts/clients.py from docs/openapi.json; changes belong there or into head.txt.

    from compere import Compere
    compere = Compere("http://127.0.0.1:7300", app_id, user_key)
    project = compere.create_project({"scenes": [...]})
    compere.download(compere.wait(project["projectId"]), "film.mp4")
"""
from __future__ import annotations

import json
import mimetypes
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Dict, List, Literal, Optional, Tuple, TypedDict, Union, cast

__all__ = ["Compere", "CompereError"]


#: How something comes or goes; the word names the side.
AnimationType = Literal["none", "fade-in", "fade-out", "in-right", "in-down", "in-left", "in-up", "out-right", "out-down", "out-left", "out-up", "zoom-in", "zoom-out"]


#: Why credits moved.
CreditMovementKind = Literal["renew", "grant", "reserve", "settle", "release", "speech"]


#: Whether a webhook arrived.
DeliveryState = Literal["pending", "delivered", "gone", "failed"]


#: A design, as a file has it: what `POST /avatars/designs` takes.
DesignFile = Dict[str, Any]


#: What the film comes out as.
Format = Literal["mp4", "wav", "webm", "mov"]


#: What decides which language a line is spoken in.
LanguageToldBy = Literal["author", "voice", "text", "film", "presenter"]


#: Which side is longer.
Orientation = Literal["landscape", "portrait"]


#: Lines of the landscape form.
Resolution = Literal["480", "720", "1080", "4k"]


#: What is drawn.
ShapeName = Literal["Line_v2", "Arrow_1_v2", "Arrow_2_v2", "Circle", "Triangle", "Square", "Parallelogram", "Drop_1", "Polygon", "Pentagon", "Oval_1", "Oval_2", "Hexagon_1", "Hexagon_2", "Diamond", "Star", "Rectangle_corner0"]


#: Where a project is; `exported` when its film can be downloaded.
State = Literal["draft", "importing", "queued", "synthesizing", "rendering", "finishing", "exported", "failed", "cancelled"]


#: What is being done.
Step = Literal["waiting", "starting", "fetching", "speaking", "drawing", "mixing", "packing", "checking", "storing", "done"]


#: How a scene takes the picture from the one before it; the word names the side that it comes from.
TransitionType = Literal["none", "fade", "push-right", "push-left", "push-up", "push-down"]


#: What a webhook tells.
WebhookEvent = Literal["export.started", "export.completed", "export.failed", "export.cancelled", "import.completed", "import.failed", "ping"]


#: What an endpoint can be told of.
WebhookEventChoice = Literal["export.started", "export.completed", "export.failed", "export.cancelled", "import.completed", "import.failed"]


#: How the webhook is called.
WebhookMethod = Literal["POST", "GET"]


class AccountRecord(TypedDict):
    createdAt: str
    credits: Optional[int]
    """Credits that are left; null where they are not counted"""
    email: str
    id: str
    name: str
    plan: PlanRecord


class _Animation(TypedDict):
    duration: float
    """Seconds"""
    type: AnimationType


class Animation(_Animation, total=False):
    """How something comes and goes."""

    delay: Optional[float]
    """Seconds"""


class _AssetItem(TypedDict):
    createdAt: str
    id: str
    mediaType: str
    name: str
    path: str
    """The same without the address of the service"""
    size: int
    """Bytes"""
    url: str
    """For `source_url` and `video_url`"""


class AssetItem(_AssetItem, total=False):
    """An uploaded file."""

    height: Optional[int]
    width: Optional[int]
    """Of a picture or video that was just sent"""


class _AudioClip(TypedDict):
    id: str
    source_url: str


class AudioClip(_AudioClip, total=False):
    """Only heard: needs no place."""

    isDelete: Optional[bool]
    layer: Optional[float]
    tag: Optional[str]
    volume: Optional[float]


class Authenticated(TypedDict):
    email: str
    isAuthenticated: bool
    plan: str


class AutomationProgress(TypedDict):
    progress: int
    projectId: str
    state: str
    """`finish` when the project is there, `processing` before"""


class _AvatarClip(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    model: ModelOfClip


class AvatarClip(_AvatarClip, total=False):
    """Somebody who speaks."""

    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""
    effects: Optional[List[Union[Effect, str]]]
    """`head-only`, as an object with that `type` or as a text"""
    headOnly: Optional[bool]
    """Head and shoulders alone"""
    headroom: Optional[float]
    """Ours: the share of the height that stays empty above the hair"""
    mask: Literal["none", "circle"]
    """Ours: `circle` shows the presenter in a circle"""
    script: Union[OwnScript, str, None]
    """What this presenter says, where the scene's script is another's; a text is taken as its `org`"""
    voiceOnly: Optional[bool]
    """Heard and not seen"""


class _AvatarDesign(TypedDict):
    faces: Dict[str, Any]
    """Whose face it is: up to four women or men of the cast by alias, with shares"""
    name: str
    """Scenes may name it by this too, as `ada-miller`"""


class AvatarDesign(_AvatarDesign, total=False):
    age: Optional[float]
    """Default: that of the faces, as with all that is left out"""
    beard: Literal["none", "stubble", "short", "full"]
    body: Union[DesignBody, None]
    eyes: Union[DesignEyes, None]
    face: Union[DesignFace, None]
    glasses: Union[DesignGlasses, None]
    hair: Union[DesignHair, None]
    hands: Literal["together", "crossed", "beside", "folded", "hip", "steepled", "wrist", "tablet"]
    """Where they rest"""
    logo: Union[DesignLogo, None]
    manner: Literal["calm", "lively", "formal"]
    """How much it moves"""
    outfits: Optional[List[DesignOutfit]]
    skin: Union[DesignSkin, None]
    voices: Optional[Dict[str, Any]]
    """A voice for each language"""


class AvatarFilm(TypedDict):
    """An export of a film that shows a presenter."""

    createdAt: str
    exportId: str
    name: str
    projectId: str
    state: str


class AvatarItem(TypedDict):
    """A presenter of footage in a list."""

    createdAt: str
    gender: str
    """`female`, `male` or `neutral`"""
    id: str
    """Also for `ai_name`, `modelId` and `model`, once the state is `ready`"""
    kind: str
    """What it is made of: `footage`, `photo`, `model` or `design`"""
    language: str
    name: str
    outfitOf: Optional[str]
    """Id of the presenter whom it shows in other clothes"""
    portrait: Optional[str]
    """Path of a picture, once the state is `ready`"""
    progress: float
    """Percent, while the state is `building`"""
    state: str
    """`collecting`, `queued`, `building`, `waiting` (for an operator's approval), `ready`, `refused` or `withdrawn`"""


class AvatarOriginal(TypedDict):
    """An uploaded file that takes were begun from."""

    assetId: str
    deleted: bool
    name: str
    usedBy: List[str]
    """Projects and other presenters for whose sake it stays"""


class AvatarRecord(TypedDict):
    """All that is known of a presenter of footage."""

    createdAt: str
    gender: str
    """`female`, `male` or `neutral`"""
    id: str
    """Also for `ai_name`, `modelId` and `model`, once the state is `ready`"""
    kind: str
    """What it is made of: `footage`, `photo`, `model` or `design`"""
    language: str
    name: str
    outfitOf: Optional[str]
    """Id of the presenter whom it shows in other clothes"""
    portrait: Optional[str]
    """Path of a picture, once the state is `ready`"""
    progress: float
    """Percent, while the state is `building`"""
    state: str
    """`collecting`, `queued`, `building`, `waiting` (for an operator's approval), `ready`, `refused` or `withdrawn`"""
    approvedBy: Optional[str]
    """Who saw consent and takes"""
    background: str
    """What becomes of what is behind the person: `auto`, `cut` or `keep`"""
    consent: Union[ConsentItem, None]
    coverage: CoverageItem
    films: List[AvatarFilm]
    """Exports that show it or let it speak"""
    findings: List[FindingItem]
    """About the footage as a whole; those of one take stand with it"""
    licence: Union[LicenceItem, None]
    missing: List[Warned]
    """What has to come before it can be built, and how"""
    outfits: List[AvatarItem]
    """The same person in other clothes, the first one first"""
    promptLanguage: str
    """Language of the lines and the consent that are given out: that of the takes, or `en` where there are none in it"""
    seconds: float
    """Of speech in it, once it is made"""
    takes: List[TakeItem]
    waitSeconds: float
    """Seconds before it is made, while the state is `queued`, as things go"""
    withdrawnAt: Optional[str]
    withdrawnBy: Optional[str]
    """Who took it away: `account`, `person` (whoever is shown, with their link) or `operator`; null of those that went before that was noted"""


class AvatarWithdrawn(TypedDict):
    """What is gone, and the films that are left."""

    films: List[AvatarFilm]
    """Made with it: they stay until their projects are deleted"""
    id: str
    originals: List[AvatarOriginal]
    """Uploaded files that its takes were begun from"""


class Background(TypedDict, total=False):
    id: Optional[str]
    source_color: Optional[str]
    source_type: Literal["image", "color", "video"]
    source_url: Optional[str]
    type: Optional[str]
    video_url: Optional[str]
    """Of a video whose `source_url` is its still picture"""


class BackgroundItem(TypedDict):
    """A background that comes with the product."""

    name: str
    orientation: str
    """`landscape` or `portrait`"""
    source_url: str
    """Goes into a scene's background as it is"""


class BuildEnded(TypedDict):
    cancelled: bool
    """Whether there was something to end"""


class Cancelled(TypedDict):
    cancelled: bool
    """False when there was nothing to stop"""
    projectId: str


class ChangeHook(TypedDict, total=False):
    enabled: Optional[bool]
    events: Optional[List[WebhookEventChoice]]
    name: Optional[str]
    url: Optional[str]


class Chapter(TypedDict):
    """Where a part of the film begins, and what it is called."""

    start: float
    """Seconds from the film's start"""
    title: str


class Cloth(TypedDict):
    """What a presenter wears."""

    aliases: List[str]
    id: str
    """For `emotion`, `clothId` and `clothes`"""
    label: Label
    thumbnail: str


class ConsentAsk(TypedDict, total=False):
    assetId: Optional[str]
    """Of an uploaded file, which is the recording of that text"""
    licensedBy: Optional[str]
    """Of a model, instead: the name of whoever states that it may be shown in films, in commercial ones too"""
    person: Optional[str]
    """The person's name, as they say it: gives out a text"""
    purpose: Optional[str]
    """What the films are for"""


class ConsentItem(TypedDict):
    """What the person reads to agree."""

    date: str
    person: str
    purpose: str
    recorded: bool
    """Whether a recording is there"""
    text: str
    """Read it before the camera, exactly"""
    withdrawalLink: Optional[str]
    """Where the person takes the presenter away without an account; hand it to them. It is in the answer that gives out the text and in no other, and the one of before is void"""


class Copied(TypedDict):
    key: str
    """Of the copy"""
    projectData: Described


class CoverageItem(TypedDict):
    """How much of what a presenter needs was read."""

    enough: bool
    """Less is refused"""
    plenty: bool
    """More makes it hardly better"""
    prompts: int
    """Prompts that were read"""
    seconds: float
    """Of speech, guessed from the texts"""
    sounds: float
    """Percent of the neighbouring sounds of all prompts"""


class _CreateProject(TypedDict):
    scenes: List[Scene]


class CreateProject(_CreateProject, total=False):
    backgroundAudio: Union[Music, None]
    callbackId: Optional[str]
    """Comes back in progress, project and webhook"""
    dictionary: Optional[Dict[str, Any]]
    """Words and how to say them"""
    format: Union[Format, None]
    isExport: Optional[bool]
    """Export at once"""
    language: Optional[str]
    """What the film is in, such as `pt-BR`; a script that says nothing else is taken to be in it, unless it plainly is not"""
    name: Optional[str]
    onAssetError: Literal["fail", "skip"]
    """What a broken link does"""
    orientation: Union[Orientation, None]
    resolution: Union[Resolution, int, None]
    webhookMethod: Union[WebhookMethod, None]
    webhookUrl: Optional[str]
    """Who is told when the export ends"""
    workspaceId: Optional[str]


class Created(TypedDict):
    """A project that was made or changed."""

    projectId: str
    warnings: List[Warned]
    """What may not have been meant"""


class CreditMovement(TypedDict):
    """A movement of credits."""

    amount: int
    """Less than zero when they went"""
    createdAt: str
    exportId: Optional[str]
    """Of the export it is about"""
    id: str
    kind: CreditMovementKind
    note: str


class _CustomAvatar(TypedDict):
    name: str
    url: str
    """Of a video in which one person speaks"""


class CustomAvatar(_CustomAvatar, total=False):
    gender: Optional[str]
    """`FEMALE`, `MALE` or `NEUTRAL` (default)"""
    isWebcam: Optional[bool]
    """Accepted; footage is footage"""
    locale: Optional[str]
    """`en` (default), `ko` or `zh`"""
    perFrame: Optional[bool]
    """Accepted; every picture is looked at"""
    text: Optional[str]
    """What is said in the video: nobody here recognises speech"""


class CustomAvatarMade(TypedDict):
    """A presenter that a linked video is the beginning of."""

    avatarId: str
    missing: List[Warned]
    """What has to come before it can be built, and how"""
    state: str
    voiceId: Optional[str]
    """Always null: no voice is cloned"""


class CustomMade(TypedDict):
    """A presenter alone, whose export was taken on."""

    projectId: str
    taskId: Optional[str]
    warnings: List[Warned]
    """What may not have been meant"""


class DeleteProjects(TypedDict):
    ids: List[str]


class Deleted(TypedDict):
    deletedCount: int


class DeliveryRecord(TypedDict):
    """A webhook and its tries."""

    createdAt: str
    endpointId: Optional[str]
    """Of the account's, where it went to one"""
    event: WebhookEvent
    id: str
    """Sent as `webhook-id`, the same on every try"""
    state: DeliveryState
    tries: List[TryRecord]
    url: str


class Described(TypedDict):
    key: str
    projectName: str
    scenes: List[Dict[str, Any]]
    """`AIModel` and `clips` each, as they were sent"""


class DesignBody(TypedDict, total=False):
    neck: Optional[float]
    """Slim to strong"""
    shoulders: Optional[float]
    """Narrow to broad"""
    weight: Optional[float]
    """Slim to heavy"""


class DesignEyes(TypedDict, total=False):
    color: Optional[str]
    """Of the iris, as `#46606c`"""


class DesignFace(TypedDict, total=False):
    asymmetry: Optional[float]
    """How the halves differ"""
    bridge: Optional[float]
    """Flat to high"""
    brows: Optional[float]
    """Fine to strong"""
    cheeks: Optional[float]
    """Flat to full"""
    chin: Optional[float]
    """Small to long"""
    eyes: Optional[float]
    """Small to large"""
    jaw: Optional[float]
    """Slim to strong"""
    length: Optional[float]
    """Short to long"""
    lips: Optional[float]
    """Thin to full"""
    mouth: Optional[float]
    """Small to wide"""
    nose: Optional[float]
    """Small to large"""
    noseWidth: Optional[float]
    """Slim to broad"""
    open: Optional[float]
    """Narrow eyes to wide open ones"""
    slant: Optional[float]
    """Outer corners of the eyes down to up"""
    width: Optional[float]
    """Narrow to broad"""


class DesignGlasses(TypedDict, total=False):
    color: Optional[str]
    """Of the frame"""
    rims: Literal["none", "round", "oval", "square"]


class DesignHair(TypedDict, total=False):
    color: Optional[str]
    """As seen in a film; a headscarf's is the outfit's `accent`"""
    length: Optional[float]
    """Shorter to longer"""
    otherSide: Optional[bool]
    """Parted or combed to the other side"""
    style: Literal["long", "waves", "shoulder", "bob", "bun", "tied-back", "curls", "afro", "pixie", "side-part", "quiff", "short", "crop", "receding", "bald", "headscarf"]
    volume: Optional[float]
    """Flat to full"""


class _DesignLogo(TypedDict):
    picture: str
    """A PNG, JPEG, WebP or SVG as `data:image/png;base64,…`"""


class DesignLogo(_DesignLogo, total=False):
    place: Literal["chest", "lapel"]
    size: Optional[float]
    """Small to large"""


class _DesignOutfit(TypedDict):
    clothes: Literal["suit", "open-suit", "blazer", "shirt", "knit", "tee"]
    color: str
    """As seen in a film: a brand's colour stays that colour"""


class DesignOutfit(_DesignOutfit, total=False):
    accent: Optional[str]
    """Of tie or headscarf"""
    name: Optional[str]
    """For people"""
    under: Optional[str]
    """Of what is under a jacket"""


class DesignSkin(TypedDict, total=False):
    color: Optional[str]
    """As seen in a film"""
    freckles: Optional[float]
    """None to many"""
    lines: Optional[float]
    """Smooth to lined"""
    lips: Optional[str]
    """As seen in a film"""
    makeup: Optional[float]
    """None to much"""


class _DocsToVideo(TypedDict):
    files: List[UploadedDocument]


class DocsToVideo(_DocsToVideo, total=False):
    """One presentation, or texts and Word documents."""

    name: Optional[str]
    """Default: as the document calls itself"""
    options: Union[StoryOptions, None]


class _DreamAvatar(TypedDict):
    name: str
    url: str
    """Of a photo in which one person looks into the lens, with closed lips"""


class DreamAvatar(_DreamAvatar, total=False):
    gender: Optional[str]
    """`FEMALE`, `MALE` or `NEUTRAL` (default)"""
    tts: Optional[Dict[str, Any]]
    """Accepted; scenes say who speaks"""


class _EditProject(TypedDict):
    updates: Union[Updates, List[Update]]
    """The entries, or an object with them in `value`."""


class EditProject(_EditProject, total=False):
    callbackId: Optional[str]
    """Comes back in progress, project and webhook"""
    copy: Optional[bool]
    """Edit a copy and leave the original alone"""
    format: Union[Format, None]
    isExport: Optional[bool]
    """Export at once"""
    resolution: Union[Resolution, int, None]
    webhookMethod: Union[WebhookMethod, None]
    webhookUrl: Optional[str]
    """Who is told when the export ends"""
    workspaceId: Optional[str]


class Effect(TypedDict, total=False):
    type: Optional[str]
    """`head-only`"""


class _Estimate(TypedDict):
    balance: Optional[int]
    """Credits that are left; null where they are not counted"""
    credits: Optional[int]
    duration: Optional[float]
    """Seconds, estimated; null for a body that cannot become a film"""
    problems: List[Trouble]
    valid: bool
    warnings: List[Warned]


class Estimate(_Estimate, total=False):
    """What a body would become."""

    languages: List[LineLanguage]
    """Of every line that says words, also where the film is refused for one of them"""
    orientation: Union[Orientation, None]
    resolution: Union[Resolution, None]
    scenes: List[SceneTime]


class _ExportProject(TypedDict):
    projectId: str


class ExportProject(_ExportProject, total=False):
    callbackId: Optional[str]
    """Comes back in progress, project and webhook"""
    format: Union[Format, None]
    resolution: Union[Resolution, int, None]
    webhookMethod: Union[WebhookMethod, None]
    webhookUrl: Optional[str]
    """Who is told when the export ends"""
    workspaceId: Optional[str]


class ExportRecord(TypedDict):
    """An export, as it ended or stands."""

    callbackId: Optional[str]
    createdAt: str
    credits: Optional[int]
    error: Optional[str]
    """Why there is no film"""
    finishedAt: Optional[str]
    format: Format
    id: str
    resolution: Resolution
    startedAt: Optional[str]
    state: State
    test: bool
    """Ordered with a test key: marked, and free"""
    webhooks: List[DeliveryRecord]


class Exported(TypedDict):
    """A project whose export was taken on."""

    projectId: str
    warnings: List[Warned]
    """What may not have been meant"""


class FindingItem(TypedDict):
    """Something about footage that its maker should know."""

    about: str
    """The take it is about, or what else"""
    advice: str
    """What would be right"""
    refused: bool
    """Whether it stands in the way"""
    what: str
    """With what was measured"""


class _FontItem(TypedDict):
    family: str


class FontItem(_FontItem, total=False):
    """A font for `fontFamily`."""

    createdAt: Optional[str]
    id: Optional[str]
    """Of a face that the account sent; whoever has an `id` has all that follows"""
    italic: Optional[bool]
    licence: Optional[str]
    """What was said when it was sent"""
    size: Optional[int]
    """Bytes"""
    style: Optional[str]
    """What its maker calls it: `Bold Italic`"""
    weight: Optional[int]
    """1 to 1000; 400 is regular"""


class FromTemplate(TypedDict, total=False):
    aiName: Optional[str]
    """Another presenter wherever somebody presents"""
    clothId: Optional[str]
    """Another outfit"""
    name: Optional[str]


class Health(TypedDict):
    """Whether requests can be taken."""

    reasons: List[str]
    running: int
    """Exports that are being made"""
    status: str
    """`ready` or `not ready`"""
    version: str


class HookRecord(TypedDict):
    """An address that is told of what happens in the account."""

    createdAt: str
    enabled: bool
    events: List[WebhookEventChoice]
    formerSecretUntil: Optional[str]
    """Until when the former secret signs beside it"""
    id: str
    name: str
    secret: str
    """Signs what goes there, as Standard Webhooks spell it: `whsec_…`"""
    url: str


class _ImageClip(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    source_url: str


class ImageClip(_ImageClip, total=False):
    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""


class _ImageGenerator(TypedDict):
    topic: str
    """What is to be seen"""


class ImageGenerator(_ImageGenerator, total=False):
    size: Optional[str]
    """`LANDSCAPE` (default), `PORTRAIT` or `SQUARE`"""
    style: Optional[str]
    """`PHOTOGRAPHIC` (default), `VECTOR_IMAGE`, `ILLUSTRATION` or `3D`"""


class Imported(TypedDict):
    """A project that is made of a document."""

    projectId: str
    state: State
    """`importing` while a long document is read, else `draft`"""


class _IssueKey(TypedDict):
    name: str
    """For people"""


class IssueKey(_IssueKey, total=False):
    test: Optional[bool]
    """Its films are marked, short, of at most 720 lines, and cost nothing"""
    workspaceId: Optional[str]
    """Binds the pair to a workspace"""


class IssuedKeyRecord(TypedDict):
    """A key pair at the one moment when its key can be seen."""

    appId: str
    id: str
    test: bool
    userKey: str


class Key(TypedDict):
    """What names a project in the older generation."""

    key: str
    """Id of the project"""
    projectId: str
    """The same as `key`"""
    warnings: List[Warned]
    """What may not have been meant"""


class KeyRecord(TypedDict):
    """A key pair without its secret."""

    appId: str
    createdAt: str
    hint: str
    """The end of the key, to tell pairs apart"""
    id: str
    lastUsedAt: Optional[str]
    name: str
    revokedAt: Optional[str]
    test: bool
    """Its films are marked and cost nothing"""
    workspaceId: Optional[str]
    """The only one it sees; null for all"""


class Keyed(TypedDict):
    """A project whose export was taken on."""

    key: str
    """Id of the project"""
    projectId: str
    """The same as `key`"""
    warnings: List[Warned]
    """What may not have been meant"""
    cube_used: int
    """Started ten seconds of film"""


class Label(TypedDict):
    """A name for each language that the vendor's clients show."""

    en: str
    ko: str


class _LegacyChange(TypedDict):
    property: str
    """`AIModel` or `clips`"""
    sceneIdx: int
    values: Dict[str, Any]


class LegacyChange(_LegacyChange, total=False):
    clipIdx: Optional[int]
    clipType: Optional[str]


class LegacyClip(TypedDict):
    detail: LegacyDetail
    type: str
    """`image`, `background`, `text` or `userVideo`"""


class LegacyDetail(TypedDict, total=False):
    color: Optional[str]
    """Of a text"""
    font: Optional[str]
    """Of a text"""
    layer: Optional[float]
    locationX: Optional[float]
    locationY: Optional[float]
    scale: Optional[float]
    scaleX: Optional[float]
    """Of a video"""
    scaleY: Optional[float]
    """Of a video"""
    textSource: Optional[str]
    """Of a text"""
    url: Optional[str]
    """Of a picture, a background or a video"""


class _LegacyEdit(TypedDict):
    updates: List[LegacyChange]


class LegacyEdit(_LegacyEdit, total=False):
    webhook: Optional[str]
    """Who is told when the result is there"""


class _LegacyModel(TypedDict):
    clothes: str
    locationX: float
    locationY: float
    model: str
    script: str


class LegacyModel(_LegacyModel, total=False):
    """Who speaks, placed by the middle: 0 is the middle of the canvas, 0.5 its right or bottom edge."""

    language: Optional[str]
    layer: Optional[float]
    scale: Optional[float]


class _LegacyProject(TypedDict):
    scenes: List[LegacySceneBody]


class LegacyProject(_LegacyProject, total=False):
    isExport: Optional[bool]
    """Export at once"""
    projectName: Optional[str]
    resolution: Union[Resolution, int, None]
    webhook: Optional[str]
    """Who is told when the result is there"""


class LegacyScene(TypedDict):
    scene: LegacySceneBody
    sceneIdx: int


class LegacySceneBody(TypedDict, total=False):
    AIModel: Union[LegacyModel, None]
    clips: Optional[List[LegacyClip]]


class LegacySceneIndex(TypedDict):
    sceneIdx: int


class LicenceItem(TypedDict):
    """Whether a model may be shown."""

    date: str
    licensedBy: str
    """Who states that it may"""
    text: str
    """What was stated"""
    told: Optional[str]
    """Name, authors, licence and terms of use as they stand in the file, once it is made; `refused` says what forbids it"""


class LineLanguage(TypedDict):
    """Which language a line of speech is taken to be in, and what it is spoken in."""

    fits: bool
    """False for a text that plainly is not in the language that it is to be spoken in"""
    heard: Optional[str]
    """What its text plainly looks; null where it is short or cannot be told"""
    path: str
    scene: int
    """Index of its scene"""
    spoken: Optional[str]
    """What it is spoken in; null where a voice speaks anything"""
    toldBy: Union[LanguageToldBy, None]


class Listed(TypedDict):
    """A project in a list."""

    callbackId: Optional[str]
    createdAt: str
    download_url: Optional[str]
    id: str
    name: str
    orientation: Orientation
    progress: float
    """0 to 100"""
    state: State
    updatedAt: str
    workspaceId: Optional[str]


class Look(TypedDict):
    """How films made of texts may look."""

    id: str
    """For `templateId`"""
    name: str
    thumbnailUrl: Optional[str]


class MadeUp(TypedDict):
    """What a model made up."""

    downloadUrl: str
    fileName: str


class Model(TypedDict):
    """A presenter."""

    aliases: List[str]
    """Other ids that mean the same presenter"""
    clothes: List[Cloth]
    gender: str
    id: str
    """For `ai_name`, `modelId` and `model`"""
    label: Label
    licence: str
    style: str
    """`lit` or `drawn`"""
    thumbnail: Optional[str]
    voices: List[VoiceOf]
    """The presenter's own voice in each language"""


class ModelItem(TypedDict):
    """A presenter in the flat list."""

    avatarType: str
    id: str
    label: str
    modelId: str
    """The same as `id`"""


class _ModelOfClip(TypedDict):
    ai_name: str
    """Id of the presenter"""
    emotion: str
    """Id of the outfit"""


class ModelOfClip(_ModelOfClip, total=False):
    editor: Optional[Dict[str, Any]]
    """What an editor knows of its picture: says where the face goes"""
    language: Optional[str]


class Models(TypedDict):
    models: List[Model]


class _ModifyProject(TypedDict):
    updates: Dict[str, Any]
    """What each tag becomes"""


class ModifyProject(_ModifyProject, total=False):
    isExport: Optional[bool]
    """Export at once"""
    name: Optional[str]
    """Of the copy"""
    projectId: Optional[str]
    """Changed itself"""
    templateId: Optional[str]
    """A copy of it is changed"""


class _Music(TypedDict):
    source_url: str


class Music(_Music, total=False):
    volume: Optional[float]


class _NewAvatar(TypedDict):
    name: str
    """Scenes may name it by this too, as `ada-miller`"""


class NewAvatar(_NewAvatar, total=False):
    background: Literal["auto", "cut", "keep"]
    """Of footage or a photo: whether the person is cut out of what is behind. `auto` does that where the person can be told well enough; `cut` refuses the footage otherwise"""
    gender: Optional[str]
    """`female`, `male` or `neutral` (default): which voice speaks for it"""
    kind: Optional[str]
    """`footage` (default) of a person who speaks, one `photo`, or a `model` file"""
    language: Optional[str]
    """Spoken in the takes, and in the consent; default `en-US`. Lines and consent are given out in it where there are some (`GET /avatars/prompts`), else in English, which `promptLanguage` of the answer tells"""
    outfitOf: Optional[str]
    """Id of a presenter of footage or of a photo: the same person in other clothes. `name` is then what those are called, and kind, gender and language are the presenter's. Scenes name it as an outfit (`clothId`, `emotion`) by `id` or name"""


class _NewHook(TypedDict):
    url: str
    """Called by POST"""


class NewHook(_NewHook, total=False):
    enabled: Optional[bool]
    """Told of nothing while it is not"""
    events: Optional[List[WebhookEventChoice]]
    """Default: all"""
    name: Optional[str]
    """For people"""


class NewTemplate(TypedDict):
    projectId: str
    """Others are made of it from then on"""


class _OlderProgress(TypedDict):
    backendTaskId: Optional[str]
    callbackId: Optional[str]
    captionsUrl: Optional[str]
    chaptersUrl: Optional[str]
    """Where the named scenes of the film begin, as WebVTT; null when fewer than two have a name"""
    downloadUrl: Optional[str]
    """Null before 100"""
    duration: Optional[float]
    """Seconds of film"""
    etaSeconds: Optional[int]
    """Null while it cannot be told"""
    finishedAt: Optional[str]
    progress: float
    """0 to 100; 100 only when the film can be downloaded"""
    projectId: str
    sizeBytes: Optional[int]
    startedAt: Optional[str]
    state: State
    step: Union[Step, None]
    streamUrl: Optional[str]
    """A playlist (HLS) that shows the film while it is made, from its first piece on, and for a day after it was asked for. Null for other formats than MP4"""
    thumbnailUrl: Optional[str]
    warnings: List[Warned]
    key: str
    url: Optional[str]
    """The same as `downloadUrl`"""
    videoUrl: Optional[str]
    """The same as `downloadUrl`"""


class OlderProgress(_OlderProgress, total=False):
    """How far an export is, in the words of both generations."""

    chapters: List[Chapter]
    """The same as a list"""
    metaList: Optional[List[Dict[str, Any]]]
    """Of sound alone: `{word, start, end}` in seconds"""
    note: Optional[str]
    """What would start an export, where none was ever asked for"""


class OlderProject(TypedDict):
    """A project as it was sent."""

    key: str
    msg: str
    """Always empty"""
    response: Described


class _OwnScript(TypedDict):
    org: str
    """The spoken text"""


class OwnScript(_OwnScript, total=False):
    audio: Optional[str]
    """Ours: address of a recording of the text, heard in place of a voice"""
    isTTS: Optional[bool]
    tts: Union[VoiceWish, None]


class PaperKept(TypedDict):
    fileName: str
    """As it was called"""
    uri: str
    """What `files` of `docs-to-video` takes"""


class PapersKept(TypedDict):
    uploadResults: List[PaperKept]


class PlanRecord(TypedDict):
    """What an account may do."""

    longestFilm: float
    """Seconds"""
    monthlyCredits: Optional[int]
    """Credits of a calendar month (UTC); null means as many as wanted"""
    name: str
    parallelExports: int
    """Exports that run at once"""
    queuedExports: int
    """Exports that wait"""
    requestsPerMinute: int


class _Progress(TypedDict):
    backendTaskId: Optional[str]
    callbackId: Optional[str]
    captionsUrl: Optional[str]
    chaptersUrl: Optional[str]
    """Where the named scenes of the film begin, as WebVTT; null when fewer than two have a name"""
    downloadUrl: Optional[str]
    """Null before 100"""
    duration: Optional[float]
    """Seconds of film"""
    etaSeconds: Optional[int]
    """Null while it cannot be told"""
    finishedAt: Optional[str]
    progress: float
    """0 to 100; 100 only when the film can be downloaded"""
    projectId: str
    sizeBytes: Optional[int]
    startedAt: Optional[str]
    state: State
    step: Union[Step, None]
    streamUrl: Optional[str]
    """A playlist (HLS) that shows the film while it is made, from its first piece on, and for a day after it was asked for. Null for other formats than MP4"""
    thumbnailUrl: Optional[str]
    warnings: List[Warned]


class Progress(_Progress, total=False):
    """How far an export is."""

    chapters: List[Chapter]
    """The same as a list"""
    metaList: Optional[List[Dict[str, Any]]]
    """Of sound alone: `{word, start, end}` in seconds"""
    note: Optional[str]
    """What would start an export, where none was ever asked for"""


class ProjectAnswer(TypedDict):
    project: ProjectRecord


class _ProjectRecord(TypedDict):
    _id: str
    backendTaskId: Optional[str]
    """Id of the latest export"""
    baseInfoId: str
    """Changes with every edit"""
    callbackId: Optional[str]
    createdAt: str
    credit: Optional[int]
    """What the latest export cost"""
    creditSubstracted: bool
    """Whether the latest export was paid for"""
    dictionary: Dict[str, Any]
    download_url: Optional[str]
    exportType: Union[Format, None]
    name: str
    orientation: Orientation
    progress: float
    resolution: Union[Resolution, None]
    revision: int
    """Counts edits, from 1"""
    scenes: List[Dict[str, Any]]
    """As they were stored, unknown keys included, so that they can be posted again"""
    state: State
    templateId: Optional[str]
    """Always null: projects here are not made of templates of the vendor"""
    thumbnailUrl: Optional[str]
    updatedAt: str
    userId: str
    workspaceId: Optional[str]


class ProjectRecord(_ProjectRecord, total=False):
    """All that is told of a project."""

    backgroundAudio: Optional[Dict[str, Any]]
    """As it was sent"""
    importChanges: Optional[List[SlideChange]]
    """Of a document's new version: what became of each slide"""
    importWarnings: Optional[List[str]]
    """Of a document: what became something else than it was"""
    onAssetError: Optional[str]
    originalUrl: Optional[str]
    """The document that the project was made of"""


class PromptItem(TypedDict):
    """A line to be read."""

    number: int
    """For `prompt`"""
    text: str


class Replayed(TypedDict):
    replayed: bool


class Revoked(TypedDict):
    revoked: bool


class _Scene(TypedDict):
    background: Background
    clips: List[Clip]
    sceneIdx: int
    """Names the scene in edits"""


class Scene(_Scene, total=False):
    """A scene. `docs/scenes.md` has every field."""

    duration: Optional[float]
    """Seconds; default: as long as the speech"""
    name: Optional[str]
    """Ours: what a chapter of the film is called; default: the scene's title"""
    scripts: Optional[List[Script]]
    """What is spoken: exactly one entry"""
    transition: Union[Transition, None]
    watermark: Optional[bool]


class SceneChanged(TypedDict):
    key: str
    msg: str


class SceneTime(TypedDict):
    """When a scene is to be seen."""

    seconds: float
    start: float
    """Seconds into the film"""


class _Script(TypedDict):
    clothId: str
    isTTS: bool
    modelId: str
    org: str
    """The spoken text"""


class Script(_Script, total=False):
    audio: Optional[str]
    """Ours: address of a recording of the text, heard in place of a voice"""
    language: Optional[str]
    """Of a voice that is not seen; else the presenter's"""
    tts: Union[VoiceWish, None]


class _ScriptsToVideo(TypedDict):
    scripts: str
    """What is said, with headings and lists as in Markdown or without any"""


class ScriptsToVideo(_ScriptsToVideo, total=False):
    name: Optional[str]
    """Default: the first heading, else the first words"""
    options: Union[StoryOptions, None]


class SentRecord(TypedDict):
    """What was sent to an endpoint."""

    createdAt: str
    endpointId: Optional[str]
    """Of the account's, where it went to one"""
    event: WebhookEvent
    id: str
    """Sent as `webhook-id`, the same on every try"""
    state: DeliveryState
    tries: List[TryRecord]
    url: str
    body: str
    """As it was sent"""


class Shadow(TypedDict, total=False):
    blur: Optional[float]
    color: Optional[str]
    enabled: Optional[bool]
    offsetX: Optional[float]
    offsetY: Optional[float]


class _ShapeClip(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    fill: str
    shapeName: ShapeName


class ShapeClip(_ShapeClip, total=False):
    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""
    shadow: Union[Shadow, None]
    stroke: Optional[str]
    strokeRadius: Optional[float]
    """Of rounded corners"""
    strokeWidth: Optional[float]


class _SimpleAudio(TypedDict):
    language: str
    model: str
    text: str


class SimpleAudio(_SimpleAudio, total=False):
    clothes: Optional[str]
    locale: Optional[str]
    """Accepted; never changes the result"""
    webhook: Optional[str]
    """Who is told when the result is there"""


class _SimpleAudio3(TypedDict):
    language: str
    model: str
    text: str


class SimpleAudio3(_SimpleAudio3, total=False):
    tts: Optional[Dict[str, Any]]
    """`{voice, speed, language}` for another voice than the model's"""


class _SimpleCustom(TypedDict):
    language: str
    model: str
    text: str


class SimpleCustom(_SimpleCustom, total=False):
    clothes: Optional[str]
    """Default: the presenter's first outfit"""


class _SimpleVideo(TypedDict):
    clothes: str
    language: str
    """Language of the text; the model has to speak it"""
    model: str
    text: str


class SimpleVideo(_SimpleVideo, total=False):
    format: Union[Format, None]
    locale: Optional[str]
    """Accepted; never changes the result"""
    resolution: Union[Resolution, int, None]
    uppercut: Optional[float]
    """Percent of the empty space above the head that is cropped away: at 100 the head touches the top"""
    webhook: Optional[str]
    """Who is told when the result is there"""


class _SimpleVideo3(TypedDict):
    clothes: str
    language: str
    model: str
    text: str


class SimpleVideo3(_SimpleVideo3, total=False):
    callbackId: Optional[str]
    """Comes back in progress, project and webhook"""
    format: Union[Format, None]
    isExport: Optional[bool]
    """Export at once"""
    resolution: Union[Resolution, int, None]
    uppercut: Optional[float]
    """Percent of the empty space above the head that is cropped away: at 100 the head touches the top"""
    webhookMethod: Union[WebhookMethod, None]
    webhookUrl: Optional[str]
    """Who is told when the export ends"""
    workspaceId: Optional[str]


class _SlideChange(TypedDict):
    change: str
    """`kept`, `changed`, `new`, `removed`; `notes` when its notes alone are others, `notes-kept` when those were rewritten in the project and stay"""
    name: str
    slide: int
    """As the document counts; of a slide that is gone, as its old version did"""


class SlideChange(_SlideChange, total=False):
    """What became of a slide when a document's new version was imported."""

    sceneIdx: Optional[int]
    """Where it is now"""


class SpokenAnswer(TypedDict):
    """A text that was spoken."""

    downloadUrl: str
    duration: float
    """Seconds"""
    fileName: str
    metaList: List[Dict[str, Any]]
    """`{word, start, end}` in seconds"""
    path: str
    """The same without the address of the service"""
    voice: str
    warnings: List[str]


class _Stood(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float


class Stood(_Stood, total=False):
    """Where something stands on the canvas of 1920×1080 or 1080×1920 units."""

    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""


class Storage(TypedDict):
    """Bytes of an account's files."""

    decks: int
    """Documents, and the pictures of their pages"""
    films: int
    limit: Optional[int]
    """What the plan gives; null where nobody counts"""
    presenters: int
    """Presenters of footage, and their takes"""
    uploads: int
    used: int
    """All of it"""


class StoryMade(TypedDict):
    """A film that is made of texts."""

    automationJobId: str
    """The same as `projectId`"""
    projectId: str
    warnings: List[Warned]


class StoryOptions(TypedDict, total=False):
    audience: Optional[str]
    duration: Optional[int]
    """What follows is for the language model. Seconds that the film shall last; default 60"""
    language: Optional[str]
    """Of the text; default: heard from it"""
    media: Optional[str]
    """Accepted; never changes the result, and is warned of"""
    model: Optional[str]
    """Who presents; default: the account's own presenter"""
    objective: Optional[str]
    orientation: Optional[str]
    """`mobile` means `portrait`, everything else `landscape`"""
    scriptOption: Optional[str]
    """Of a text: `ai` has a language model say it better first; `original`, the default here, leaves it as it is"""
    speed: Optional[float]
    """Accepted; never changes the result, and is warned of"""
    style: Optional[str]
    """Accepted; never changes the result, and is warned of"""
    templateId: Optional[str]
    """Id of a look"""
    tone: Optional[str]
    useGenerativeHighQuality: Optional[bool]
    """Accepted; never changes the result, and is warned of"""
    voiceOnly: Optional[bool]


class TakeItem(TypedDict):
    """A file of footage."""

    createdAt: str
    findings: List[FindingItem]
    """What was found in it when it was last looked at"""
    name: str
    """`01` to `40`, `all`, `idle`, `talk`, `photo`, `model`, `consent`, or one of its own"""
    prompt: Optional[int]
    """Of the prompt that is read in it"""
    size: int
    """Bytes"""
    text: str
    """What is said"""


class TemplateItem(TypedDict):
    """A project that others are made of."""

    id: str
    """For `editor/template/{id}`, and for `templateId` of `editor/project/modify`"""
    name: str
    orientation: Orientation
    sceneCount: int
    thumbnailUrl: Optional[str]
    """Of its latest film"""


class _TextClip(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    fill: str
    fontSize: float
    """Points: 4/3 of a canvas unit"""
    text: str


class TextClip(_TextClip, total=False):
    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""
    align: Literal["left", "center", "right", "justify"]
    backgroundColor: Optional[str]
    fontFamily: Optional[str]
    fontStyle: Literal["normal", "italic"]
    fontWeight: Union[str, float, None]
    """`normal`, `bold` or 1 to 1000"""
    lineHeight: Optional[float]
    runs: Optional[List[TextRun]]
    """Ours: stretches of the text with looks of their own; they count while, joined, they are the `text`"""
    shadow: Union[Shadow, None]
    stroke: Optional[str]
    strokeWidth: Optional[float]
    underline: Optional[bool]


class _TextGenerator(TypedDict):
    topic: str


class TextGenerator(_TextGenerator, total=False):
    options: Union[StoryOptions, None]


class _TextRun(TypedDict):
    text: str


class TextRun(_TextRun, total=False):
    """A stretch of a text. What it does not say is as the clip has it."""

    fill: Optional[str]
    fontFamily: Optional[str]
    fontStyle: Literal["normal", "italic"]
    fontWeight: Union[str, float, None]
    """`normal`, `bold` or 1 to 1000"""
    position: Literal["normal", "super", "sub"]
    """Raised or lowered, and smaller"""
    rise: Optional[float]
    """How far above the line's baseline, a multiple of `fontSize`; default: as `position` has it"""
    scale: Optional[float]
    """A multiple of `fontSize`; default: 1, raised or lowered 0.6"""
    underline: Optional[bool]


class TextWritten(TypedDict):
    script: str
    """What is said, without headings"""


class Token(TypedDict):
    token: str
    """For the header `Authorization`, for 24 hours"""


class TokenRequest(TypedDict):
    appId: str
    userKey: str


class _TopicToVideo(TypedDict):
    topic: str


class TopicToVideo(_TopicToVideo, total=False):
    name: Optional[str]
    """Default: what is written calls itself"""
    options: Union[StoryOptions, None]


class _Transition(TypedDict):
    type: TransitionType


class Transition(_Transition, total=False):
    """How one scene follows another."""

    duration: Optional[float]
    """Seconds"""


class Trouble(TypedDict):
    """Something that is wrong with a body."""

    code: int
    msg: str
    """What is wrong and what would be right"""
    name: str
    path: str


class TryRecord(TypedDict):
    at: str
    error: Optional[str]
    millis: int
    """What it took"""
    status: Optional[int]
    """What the receiver answered"""


class _Update(TypedDict):
    sceneIdx: int
    type: Literal["aiModel", "shape", "image", "textImage", "videoImage", "audio", "background"]
    """A clip's type, or `background`"""
    values: Dict[str, Any]
    """Fields of the clip; `script` is what a presenter says"""


class Update(_Update, total=False):
    clipIdx: Optional[int]
    id: Optional[str]
    tag: Optional[str]


class _Updates(TypedDict):
    value: List[Update]


class Updates(_Updates, total=False):
    backgroundAudio: Union[Music, None]


class _UploadedDocument(TypedDict):
    uri: str
    """As `upload-files` gave it"""


class UploadedDocument(_UploadedDocument, total=False):
    fileName: Optional[str]


class _UrlToVideo(TypedDict):
    url: str
    """Of a page that can be read without signing in"""


class UrlToVideo(_UrlToVideo, total=False):
    name: Optional[str]
    """Default: what is written calls itself"""
    options: Union[StoryOptions, None]


class _VideoClip(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    video_url: str


class VideoClip(_VideoClip, total=False):
    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""
    volume: Optional[float]


class _VideoGenerator(TypedDict):
    topic: str
    """What is to be seen"""


class VideoGenerator(_VideoGenerator, total=False):
    size: Optional[str]
    """*Ours*: `LANDSCAPE` (default), `PORTRAIT` or `SQUARE`"""


class _VoiceGenerator(TypedDict):
    language: str
    model: str
    """Id of a voice"""
    script: str
    """What is spoken"""


class VoiceGenerator(_VoiceGenerator, total=False):
    type: Optional[str]
    """Accepted; the id says it all"""


class VoiceItem(TypedDict):
    """A voice, for `tts.voice`."""

    available: bool
    """False when its files are not installed"""
    forTests: bool
    """A tone instead of a voice"""
    gender: str
    id: str
    language: str
    licence: str
    name: str
    type: str


class VoiceOf(TypedDict):
    language: str
    voice: str


class VoiceWish(TypedDict, total=False):
    language: Optional[str]
    speed: Optional[float]
    voice: Optional[str]
    """Id of a voice"""


class Waiting(TypedDict):
    """Seconds before work begins."""

    checkSeconds: float
    """On a check of what is linked, or a text that is spoken at once"""
    documentSeconds: float
    """On a document"""
    previewSeconds: float
    """On a preview or a sample of a voice"""


class Warned(TypedDict):
    """Something that works, though perhaps not as it was meant."""

    message: str
    """The same as `msg`"""
    msg: str
    path: str


class WebhookSecret(TypedDict):
    secret: str
    """As Standard Webhooks spell it: `whsec_…`"""


class WorkspaceItem(TypedDict):
    workspaceId: str
    workspaceName: str


class _Clip_aiModel(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    model: ModelOfClip
    type: Literal["aiModel"]


class Clip_aiModel(_Clip_aiModel, total=False):
    """A clip, by its type: `aiModel`."""

    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""
    effects: Optional[List[Union[Effect, str]]]
    """`head-only`, as an object with that `type` or as a text"""
    headOnly: Optional[bool]
    """Head and shoulders alone"""
    headroom: Optional[float]
    """Ours: the share of the height that stays empty above the hair"""
    mask: Literal["none", "circle"]
    """Ours: `circle` shows the presenter in a circle"""
    script: Union[OwnScript, str, None]
    """What this presenter says, where the scene's script is another's; a text is taken as its `org`"""
    voiceOnly: Optional[bool]
    """Heard and not seen"""


class _Clip_shape(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    fill: str
    shapeName: ShapeName
    type: Literal["shape"]


class Clip_shape(_Clip_shape, total=False):
    """A clip, by its type: `shape`."""

    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""
    shadow: Union[Shadow, None]
    stroke: Optional[str]
    strokeRadius: Optional[float]
    """Of rounded corners"""
    strokeWidth: Optional[float]


class _Clip_image(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    source_url: str
    type: Literal["image"]


class Clip_image(_Clip_image, total=False):
    """A clip, by its type: `image`."""

    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""


class _Clip_textImage(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    fill: str
    fontSize: float
    """Points: 4/3 of a canvas unit"""
    text: str
    type: Literal["textImage"]


class Clip_textImage(_Clip_textImage, total=False):
    """A clip, by its type: `textImage`."""

    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""
    align: Literal["left", "center", "right", "justify"]
    backgroundColor: Optional[str]
    fontFamily: Optional[str]
    fontStyle: Literal["normal", "italic"]
    fontWeight: Union[str, float, None]
    """`normal`, `bold` or 1 to 1000"""
    lineHeight: Optional[float]
    runs: Optional[List[TextRun]]
    """Ours: stretches of the text with looks of their own; they count while, joined, they are the `text`"""
    shadow: Union[Shadow, None]
    stroke: Optional[str]
    strokeWidth: Optional[float]
    underline: Optional[bool]


class _Clip_videoImage(TypedDict):
    height: float
    id: str
    layer: float
    """Higher ones cover lower ones"""
    left: float
    top: float
    width: float
    video_url: str
    type: Literal["videoImage"]


class Clip_videoImage(_Clip_videoImage, total=False):
    """A clip, by its type: `videoImage`."""

    angle: Optional[float]
    """Degrees, clockwise about the upper left corner"""
    animation: Union[Animation, None]
    fromStep: Optional[float]
    """Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"""
    isDelete: Optional[bool]
    """Neither seen nor heard"""
    opacity: Optional[float]
    """1 to 100; of a presenter 0 to 1"""
    scaleX: Optional[float]
    scaleY: Optional[float]
    tag: Optional[str]
    """Finds the clip in edits"""
    untilStep: Optional[float]
    """Ours: goes with this step"""
    volume: Optional[float]


class _Clip_audio(TypedDict):
    id: str
    source_url: str
    type: Literal["audio"]


class Clip_audio(_Clip_audio, total=False):
    """A clip, by its type: `audio`."""

    isDelete: Optional[bool]
    layer: Optional[float]
    tag: Optional[str]
    volume: Optional[float]


#: A clip, by its type.
Clip = Union[Clip_aiModel, Clip_shape, Clip_image, Clip_textImage, Clip_videoImage, Clip_audio]


class CompereError(Exception):
    """What the service refused, and why."""

    def __init__(self, status: int, error: Dict[str, Any], data: Any = None):
        details = "".join(f"\n  {one['path']}: {one['msg']}" for one in error.get("details", []))
        super().__init__(f"{error.get('code', status)} {error.get('name', '')}: {error.get('msg', '')}{details}")
        self.status: int = status
        self.code: Optional[int] = error.get("code")
        self.name: Optional[str] = error.get("name")
        self.details: List[Detail] = error.get("details", [])
        self.doc_url: Optional[str] = error.get("docUrl")
        self.request_id: Optional[str] = error.get("requestId")
        self.data = data


Detail = Dict[str, str]


def _quoted(part: str) -> str:
    return urllib.parse.quote(part, safe="")


class Compere:
    """A service and who asks it. Tokens are asked for, and asked for again when a day is over."""

    def __init__(self, base: str, app_id: str = "", user_key: str = "", *, token: str = "", timeout: float = 60):
        self.base = base.rstrip("/")
        self._pair = (app_id, user_key)
        self._token = token
        self._timeout = timeout

    def read_progress_older(self, key: str) -> OlderProgress:
        """Ask how far an export is (1.4.x)"""
        return cast('OlderProgress', self._ask("GET", f"/api/odin/editor/progress/{_quoted(key)}"))

    def create_project_older(self, body: LegacyProject, *, idempotency_key: Optional[str] = None) -> Keyed:
        """Create and export a project (1.4.x)"""
        return cast('Keyed', self._ask("POST", "/api/odin/editor/project", body=body, idempotency_key=idempotency_key))

    def duplicate_project(self, key: str, *, idempotency_key: Optional[str] = None) -> Copied:
        """Copy a project (1.4.x)"""
        return cast('Copied', self._ask("POST", f"/api/odin/editor/project/duplicate/{_quoted(key)}", body={}, idempotency_key=idempotency_key))

    def read_project_by_name(self, name: str) -> OlderProject:
        """Read the newest project of a name (1.4.x)"""
        return cast('OlderProject', self._ask("GET", f"/api/odin/editor/project/name/{_quoted(name)}"))

    def read_project_older(self, key: str) -> OlderProject:
        """Read a project (1.4.x)"""
        return cast('OlderProject', self._ask("GET", f"/api/odin/editor/project/{_quoted(key)}"))

    def edit_project_older(self, key: str, body: LegacyEdit, *, idempotency_key: Optional[str] = None) -> Keyed:
        """Export a changed copy of a project (1.4.x)

        The original stays as it is; the answer has the key of the new project."""
        return cast('Keyed', self._ask("POST", f"/api/odin/editor/project/{_quoted(key)}", body=body, idempotency_key=idempotency_key))

    def replace_scene(self, key: str, body: LegacyScene, *, if_match: Optional[str] = None) -> SceneChanged:
        """Replace a scene (1.4.x)"""
        return cast('SceneChanged', self._ask("PUT", f"/api/odin/editor/scene/{_quoted(key)}", body=body, if_match=if_match))

    def add_scene(self, key: str, body: LegacyScene, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> SceneChanged:
        """Insert a scene (1.4.x)

        Later scenes move back by one."""
        return cast('SceneChanged', self._ask("POST", f"/api/odin/editor/scene/{_quoted(key)}", body=body, idempotency_key=idempotency_key, if_match=if_match))

    def delete_scene(self, key: str, body: LegacySceneIndex, *, if_match: Optional[str] = None) -> Keyed:
        """Delete a scene (1.4.x)"""
        return cast('Keyed', self._ask("DELETE", f"/api/odin/editor/scene/{_quoted(key)}", body=body, if_match=if_match))

    def simple_audio_older(self, body: SimpleAudio, *, idempotency_key: Optional[str] = None) -> Key:
        """A presenter's voice

        The result is a WAV file at 48 kHz; it comes by webhook, progress or `simple/find`."""
        return cast('Key', self._ask("POST", "/api/odin/simple/audio", body=body, idempotency_key=idempotency_key))

    def find_simple(self, key: str) -> OlderProgress:
        """The result of a simple request"""
        return cast('OlderProgress', self._ask("POST", f"/api/odin/simple/find/{_quoted(key)}", body={}))

    def simple_video_older(self, body: SimpleVideo, *, idempotency_key: Optional[str] = None) -> Key:
        """A presenter alone on chroma green

        The result comes by webhook, progress or `simple/find`."""
        return cast('Key', self._ask("POST", "/api/odin/simple/video", body=body, idempotency_key=idempotency_key))

    def read_account(self) -> AccountRecord:
        """The account, its plan and its credits"""
        return cast('AccountRecord', self._ask("GET", "/api/odin/v3/account"))

    def list_credits(self, *, limit: Optional[int] = None, after: Optional[str] = None) -> List[CreditMovement]:
        """What credits were spent on, newest first"""
        return cast('List[CreditMovement]', self._ask("GET", "/api/odin/v3/account/credits", query={"limit": limit, "after": after}))

    def list_keys(self) -> List[KeyRecord]:
        """Key pairs, without their secrets"""
        return cast('List[KeyRecord]', self._ask("GET", "/api/odin/v3/account/keys"))

    def issue_key(self, body: IssueKey, *, idempotency_key: Optional[str] = None) -> IssuedKeyRecord:
        """Issue a key pair

        The key is in this answer and nowhere else. With `workspaceId` it sees and makes only what is in that workspace. With `test` its films are marked, at most a minute long and of 720 lines, and cost nothing."""
        return cast('IssuedKeyRecord', self._ask("POST", "/api/odin/v3/account/keys", body=body, idempotency_key=idempotency_key))

    def revoke_key(self, key: str) -> Revoked:
        """Revoke a key pair

        Its tokens end with it."""
        return cast('Revoked', self._ask("DELETE", f"/api/odin/v3/account/keys/{_quoted(key)}"))

    def read_webhook_secret(self) -> WebhookSecret:
        """The secret that webhooks are signed with"""
        return cast('WebhookSecret', self._ask("GET", "/api/odin/v3/account/webhook-secret"))

    def rotate_webhook_secret(self, *, idempotency_key: Optional[str] = None) -> WebhookSecret:
        """Replace the secret that webhooks are signed with

        The old one signs beside it for 24 hours."""
        return cast('WebhookSecret', self._ask("POST", "/api/odin/v3/account/webhook-secret", body={}, idempotency_key=idempotency_key))

    def list_webhook_endpoints(self) -> List[HookRecord]:
        """Webhook endpoints"""
        return cast('List[HookRecord]', self._ask("GET", "/api/odin/v3/account/webhooks"))

    def add_webhook_endpoint(self, body: NewHook, *, idempotency_key: Optional[str] = None) -> HookRecord:
        """Add a webhook endpoint

        It is told of the `events` it names, of all where it names none, in every project of the account. What is sent is described under `webhooks`; it is signed with the endpoint's own secret, which is in the answer."""
        return cast('HookRecord', self._ask("POST", "/api/odin/v3/account/webhooks", body=body, idempotency_key=idempotency_key))

    def read_webhook_endpoint(self, id: str) -> HookRecord:
        """A webhook endpoint"""
        return cast('HookRecord', self._ask("GET", f"/api/odin/v3/account/webhooks/{_quoted(id)}"))

    def change_webhook_endpoint(self, id: str, body: ChangeHook) -> HookRecord:
        """Change a webhook endpoint

        What is not said stays as it is."""
        return cast('HookRecord', self._ask("POST", f"/api/odin/v3/account/webhooks/{_quoted(id)}", body=body))

    def delete_webhook_endpoint(self, id: str) -> Deleted:
        """Delete a webhook endpoint

        What is on its way there is not sent any more."""
        return cast('Deleted', self._ask("DELETE", f"/api/odin/v3/account/webhooks/{_quoted(id)}"))

    def list_webhook_deliveries(self, id: str, *, limit: Optional[int] = None, after: Optional[str] = None) -> List[SentRecord]:
        """What was sent to a webhook endpoint, newest first

        `webhooks/{delivery}/replay` sends one once more."""
        return cast('List[SentRecord]', self._ask("GET", f"/api/odin/v3/account/webhooks/{_quoted(id)}/deliveries", query={"limit": limit, "after": after}))

    def ping_webhook_endpoint(self, id: str) -> SentRecord:
        """Call a webhook endpoint now

        Sends the event `ping`, waits up to twelve seconds for the receiver, and answers with what it said. It is not tried again."""
        return cast('SentRecord', self._ask("POST", f"/api/odin/v3/account/webhooks/{_quoted(id)}/ping", body={}))

    def rotate_webhook_endpoint_secret(self, id: str, *, idempotency_key: Optional[str] = None) -> HookRecord:
        """Replace the secret of a webhook endpoint

        The old one signs beside it for 24 hours."""
        return cast('HookRecord', self._ask("POST", f"/api/odin/v3/account/webhooks/{_quoted(id)}/secret", body={}, idempotency_key=idempotency_key))

    def list_assets(self, *, page: Optional[int] = None, limit: Optional[int] = None, after: Optional[str] = None) -> List[AssetItem]:
        """List uploaded files, newest first

        The header `X-Total-Count` has the number of all."""
        return cast('List[AssetItem]', self._ask("GET", "/api/odin/v3/assets", query={"page": page, "limit": limit, "after": after}))

    def upload_asset(self, file: Union[str, Path, bytes], *, name: Optional[str] = None, idempotency_key: Optional[str] = None) -> AssetItem:
        """Upload a file

        A form with `file`, or the bare file with `?name=`. The answer's `url` goes into clips. What the file is decides its content, not its name."""
        return cast('AssetItem', self._ask("POST", "/api/odin/v3/assets", form=({"name": name}, file), idempotency_key=idempotency_key))

    def delete_asset(self, id: str) -> Deleted:
        """Delete an uploaded file

        Scenes that link it will miss it."""
        return cast('Deleted', self._ask("DELETE", f"/api/odin/v3/assets/{_quoted(id)}"))

    def check_token(self) -> Authenticated:
        """Is my token good?"""
        return cast('Authenticated', self._ask("GET", "/api/odin/v3/auth"))

    def issue_token(self, body: TokenRequest) -> Token:
        """Exchange a key pair for a token

        The token is good for 24 hours. There is no refresh: ask again."""
        return cast('Token', self._ask("POST", "/api/odin/v3/auth/token", body=body))

    def revoke_token(self) -> Revoked:
        """Revoke the presented token"""
        return cast('Revoked', self._ask("DELETE", "/api/odin/v3/auth/token"))

    def storyboard_documents(self, body: DocsToVideo, *, idempotency_key: Optional[str] = None) -> StoryMade:
        """A project of uploaded documents

        A presentation becomes a scene for each slide, whose notes are said; texts and Word documents become a storyboard, with headings, lists and pictures as they stand. The answer comes before the project is there: `automation/progress` says how far it is. Nothing is exported yet."""
        return cast('StoryMade', self._ask("POST", "/api/odin/v3/automation/docs-to-video", body=body, idempotency_key=idempotency_key))

    def upload_documents(self, file: Union[str, Path, bytes], *, files: Optional[List[str]] = None, idempotency_key: Optional[str] = None) -> PapersKept:
        """Upload documents that a film is to be made of

        A form with `files`: PDF, PPT, PPTX, DOCX, or plain text with or without headings and lists. They are kept for a day."""
        return cast('PapersKept', self._ask("POST", "/api/odin/v3/automation/docs-to-video/upload-files", form=({"files": files}, file), idempotency_key=idempotency_key))

    def read_storyboard_progress(self, *, project_id: Optional[str] = None) -> AutomationProgress:
        """How far a storyboard is"""
        return cast('AutomationProgress', self._ask("GET", "/api/odin/v3/automation/progress", query={"projectId": project_id}))

    def read_storyboard_progress_of(self, id: str) -> AutomationProgress:
        """How far a storyboard is, by its id

        What a text becomes is there as soon as its request is answered; a presentation is read slide by slide."""
        return cast('AutomationProgress', self._ask("GET", f"/api/odin/v3/automation/progress/{_quoted(id)}"))

    def storyboard_text(self, body: ScriptsToVideo, *, idempotency_key: Optional[str] = None) -> StoryMade:
        """A project of a text

        Headings become titles, lists become points, paragraphs are said as they stand; with `scriptOption: "ai"` a language model says them better first, where the operator has named one (else 4031). Nothing is exported yet."""
        return cast('StoryMade', self._ask("POST", "/api/odin/v3/automation/scripts_to_video", body=body, idempotency_key=idempotency_key))

    def storyboard_topic(self, body: TopicToVideo, *, idempotency_key: Optional[str] = None) -> StoryMade:
        """A project about a topic

        A language model writes what is said, where the operator has named one; else 4031. Nothing is exported yet."""
        return cast('StoryMade', self._ask("POST", "/api/odin/v3/automation/topic_to_video", body=body, idempotency_key=idempotency_key))

    def storyboard_page(self, body: UrlToVideo, *, idempotency_key: Optional[str] = None) -> StoryMade:
        """A project that tells what a page says

        The page is fetched by the rules for every link. A language model writes what is said, where the operator has named one; else 4031. Nothing is exported yet."""
        return cast('StoryMade', self._ask("POST", "/api/odin/v3/automation/url_to_video", body=body, idempotency_key=idempotency_key))

    def list_avatars(self) -> List[AvatarItem]:
        """List the account's presenters of footage, newest first"""
        return cast('List[AvatarItem]', self._ask("GET", "/api/odin/v3/avatars"))

    def create_avatar(self, body: NewAvatar, *, idempotency_key: Optional[str] = None) -> AvatarRecord:
        """Begin a presenter of your own footage, photo or model file (beta)

        It belongs to the account, and nobody else sees it. What is to come next stands in `missing`: of a person, their consent before a camera; of a model, a statement of its licence."""
        return cast('AvatarRecord', self._ask("POST", "/api/odin/v3/avatars", body=body, idempotency_key=idempotency_key))

    def create_custom_avatar(self, body: CustomAvatar, *, idempotency_key: Optional[str] = None) -> CustomAvatarMade:
        """Begin a presenter with one linked video

        The video is fetched by the rules for every link and kept as a take. Nobody here recognises speech, so it needs the text of what is said in it; what else is missing (silence, consent) is told in the answer. No voice is cloned."""
        return cast('CustomAvatarMade', self._ask("POST", "/api/odin/v3/avatars/customavatar", body=body, idempotency_key=idempotency_key))

    def design_avatar(self, body: AvatarDesign, *, idempotency_key: Optional[str] = None) -> AvatarRecord:
        """Design a presenter

        Faces of the cast, mixed, and what leaves them: scenes may name it at once. It belongs to the account, and nobody else sees it. `compere avatar design --fields` lists what may be said."""
        return cast('AvatarRecord', self._ask("POST", "/api/odin/v3/avatars/designs", body=body, idempotency_key=idempotency_key))

    def begin_design(self, *, from_: Optional[str] = None, seed: Optional[str] = None) -> DesignFile:
        """A design to begin with

        A member of the cast spelled out, or somebody whom one might meet."""
        return cast('DesignFile', self._ask("GET", "/api/odin/v3/avatars/designs/begin", query={"from": from_, "seed": seed}))

    def look_at_design(self, body: AvatarDesign, *, outfit: Optional[str] = None, width: Optional[str] = None, fine: Optional[str] = None) -> bytes:
        """A design, drawn

        Nothing is kept."""
        return self._bytes("POST", "/api/odin/v3/avatars/designs/look", body=body, query={"outfit": outfit, "width": width, "fine": fine})

    def create_dream_avatar(self, body: DreamAvatar, *, idempotency_key: Optional[str] = None) -> CustomAvatarMade:
        """Begin a presenter with one linked photo

        The photo is fetched by the rules for every link. The person in it has to agree before a camera, which `missing` says."""
        return cast('CustomAvatarMade', self._ask("POST", "/api/odin/v3/avatars/dreamavatar", body=body, idempotency_key=idempotency_key))

    def list_prompts(self, *, language: Optional[str] = None) -> List[PromptItem]:
        """Lines that a presenter is filmed with, one clip each

        The first twenty-four are enough for most. A presenter's are those of its `promptLanguage`."""
        return cast('List[PromptItem]', self._ask("GET", "/api/odin/v3/avatars/prompts", query={"language": language}))

    def read_avatar(self, id: str) -> AvatarRecord:
        """Read a presenter of footage

        Its state, how far it is made, what was found in each take, and the films made with it; of one that was withdrawn too."""
        return cast('AvatarRecord', self._ask("GET", f"/api/odin/v3/avatars/{_quoted(id)}"))

    def withdraw_avatar(self, id: str, *, originals: Optional[str] = None) -> AvatarWithdrawn:
        """Take a presenter of footage away

        With its takes, its consent, what was made of them, and all pictures of it that are kept for later films. Exports that show it end. The answer names the films that were made with it: they stay until their projects are deleted. Uploaded files that takes were begun from (`assetId`) go too, but for those that projects or other presenters use; the answer says which stay."""
        return cast('AvatarWithdrawn', self._ask("DELETE", f"/api/odin/v3/avatars/{_quoted(id)}", query={"originals": originals}))

    def build_avatar(self, id: str, *, background: Optional[str] = None) -> AvatarRecord:
        """Make the presenter of its footage

        It waits for its turn, one of an account at a time. Read it to follow; then an operator looks at consent and takes."""
        return cast('AvatarRecord', self._ask("POST", f"/api/odin/v3/avatars/{_quoted(id)}/build", body={}, query={"background": background}))

    def cancel_avatar_build(self, id: str) -> BuildEnded:
        """End that

        The takes stay."""
        return cast('BuildEnded', self._ask("DELETE", f"/api/odin/v3/avatars/{_quoted(id)}/build"))

    def consent_to_avatar(self, id: str, body: ConsentAsk, *, idempotency_key: Optional[str] = None) -> AvatarRecord:
        """Give out the text of consent, or send its recording; or state a model's licence

        Of a model, JSON with `licensedBy` states that it may be shown. What its file forbids is refused whatever is stated. Else JSON with `person` and `purpose` gives out a text with six random words, and `consent.withdrawalLink`, which belongs to the person: with it they take the presenter away without an account. It is told this once, and a repetition of the request has none. A form (`multipart/form-data`) with `file`, or JSON with `assetId`, is the recording of the person who reads the text."""
        return cast('AvatarRecord', self._ask("POST", f"/api/odin/v3/avatars/{_quoted(id)}/consent", body=body, idempotency_key=idempotency_key))

    def read_design(self, id: str) -> DesignFile:
        """The design of a presenter, to be kept as a file or changed"""
        return cast('DesignFile', self._ask("GET", f"/api/odin/v3/avatars/{_quoted(id)}/design"))

    def redesign_avatar(self, id: str, body: AvatarDesign) -> AvatarRecord:
        """Design a presenter anew

        Films that are made from then on show it so; those that there are stay as they are."""
        return cast('AvatarRecord', self._ask("PUT", f"/api/odin/v3/avatars/{_quoted(id)}/design", body=body))

    def send_take(self, id: str, file: Union[str, Path, bytes], *, asset_id: Optional[str] = None, name: Optional[str] = None, prompt: Optional[str] = None, text: Optional[str] = None, idempotency_key: Optional[str] = None) -> TakeItem:
        """Send a take

        A form with `file` and `prompt` (the number of a line, `idle` for silence, `talk` for free talk, `photo` or `model`) or `text` (what is said); or JSON with `assetId` of an uploaded file instead of the file. A take for the same line takes the place of the one before."""
        return cast('TakeItem', self._ask("POST", f"/api/odin/v3/avatars/{_quoted(id)}/takes", form=({"assetId": asset_id, "name": name, "prompt": prompt, "text": text}, file), idempotency_key=idempotency_key))

    def delete_take(self, id: str, name: str) -> Deleted:
        """Take a take away"""
        return cast('Deleted', self._ask("DELETE", f"/api/odin/v3/avatars/{_quoted(id)}/takes/{_quoted(name)}"))

    def list_backgrounds(self, *, orientation: Optional[str] = None) -> List[BackgroundItem]:
        """Backgrounds that come with the product

        `source_url` goes into a scene's background as it is."""
        return cast('List[BackgroundItem]', self._ask("GET", "/api/odin/v3/backgrounds", query={"orientation": orientation}))

    def list_models_flat(self) -> List[ModelItem]:
        """Presenters as a flat list"""
        return cast('List[ModelItem]', self._ask("GET", "/api/odin/v3/dropdown/models"))

    def list_looks(self) -> List[Look]:
        """How films made of texts may look

        `templateId` of their options takes the ids."""
        return cast('List[Look]', self._ask("GET", "/api/odin/v3/dropdown/templates_business"))

    def list_workspaces(self) -> List[WorkspaceItem]:
        """Workspaces of the account"""
        return cast('List[WorkspaceItem]', self._ask("GET", "/api/odin/v3/dropdown/workspaces"))

    def check_body(self, body: CreateProject) -> Estimate:
        """Check a body

        Takes what create takes, of both generations, and answers with what is wrong with it, how long the film will be and what it will cost. With `checkAssets` the links in it are fetched too."""
        return cast('Estimate', self._ask("POST", "/api/odin/v3/editor/estimate", body=body))

    def read_progress(self, id: str) -> Progress:
        """Ask how far an export is

        A failed export answers with status 200, `success` false and error 5010, so that every polling loop ends."""
        return cast('Progress', self._ask("GET", f"/api/odin/v3/editor/progress/{_quoted(id)}"))

    def list_projects(self, *, page: Optional[int] = None, limit: Optional[int] = None, state: Optional[str] = None, workspace_id: Optional[str] = None, name: Optional[str] = None, after: Optional[str] = None) -> List[Listed]:
        """List projects, newest first

        Only exported ones unless `state` says otherwise. The header `X-Total-Count` has the number of all."""
        return cast('List[Listed]', self._ask("GET", "/api/odin/v3/editor/project", query={"page": page, "limit": limit, "state": state, "workspaceId": workspace_id, "name": name, "after": after}))

    def create_project(self, body: CreateProject, *, idempotency_key: Optional[str] = None) -> Created:
        """Create a project, and export it

        With `isExport` false it is stored only. All problems of the body are reported together."""
        return cast('Created', self._ask("POST", "/api/odin/v3/editor/project", body=body, idempotency_key=idempotency_key))

    def delete_projects(self, body: DeleteProjects) -> Deleted:
        """Delete projects

        Unknown and foreign ids are passed over. Running exports are cancelled, files go."""
        return cast('Deleted', self._ask("DELETE", "/api/odin/v3/editor/project", body=body))

    def export_project(self, body: ExportProject, *, idempotency_key: Optional[str] = None) -> Exported:
        """Export a project

        The export takes a snapshot: later edits do not touch it. It becomes the one that progress reports."""
        return cast('Exported', self._ask("POST", "/api/odin/v3/editor/project/export", body=body, idempotency_key=idempotency_key))

    def modify_project(self, body: ModifyProject, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Created:
        """Change a project by its tags

        `title` is the first clip with that tag, `title_2` the third, `scripts_1` what is said in the second scene. With `templateId` instead of `projectId` a copy is changed. Exported only when `isExport` is true."""
        return cast('Created', self._ask("POST", "/api/odin/v3/editor/project/modify", body=body, idempotency_key=idempotency_key, if_match=if_match))

    def import_document(self, file: Union[str, Path, bytes], *, background: Optional[str] = None, cues: Optional[bool] = None, editable: Optional[bool] = None, hidden: Optional[bool] = None, layout: Optional[Literal["auto", "beside", "corner", "circle", "voice"]] = None, name: Optional[str] = None, notes: Optional[bool] = None, outfit: Optional[str] = None, presenter: Optional[str] = None, project_id: Optional[str] = None, quiet: Optional[Literal["listen", "draft", "written", "empty", "skip"]] = None, side: Optional[Literal["right", "left"]] = None, slides: Optional[str] = None, voice: Optional[str] = None, workspace_id: Optional[str] = None, idempotency_key: Optional[str] = None) -> Imported:
        """Make a project of a PDF, PPT, PPTX or ODP

        A form with `file`. Speaker notes become scripts, spoken by a presenter who hides nothing of the slides: `layout` (ours) chooses how. With `editable` (ours) texts and pictures of a PPTX become clips where they then look as the slide does; `importWarnings` of the project says where they do not. A long document answers with a project that is `importing`. With `projectId` (ours) it is a new version of that project's document: scenes of slides that are as they were stay as they have been edited."""
        return cast('Imported', self._ask("POST", "/api/odin/v3/editor/project/pptpdf", form=({"background": background, "cues": cues, "editable": editable, "hidden": hidden, "layout": layout, "name": name, "notes": notes, "outfit": outfit, "presenter": presenter, "projectId": project_id, "quiet": quiet, "side": side, "slides": slides, "voice": voice, "workspaceId": workspace_id}, file), idempotency_key=idempotency_key))

    def read_project(self, id: str) -> ProjectAnswer:
        """Read a project

        Scenes come back exactly as they were stored, unknown keys included, so that they can be posted again."""
        return cast('ProjectAnswer', self._ask("GET", f"/api/odin/v3/editor/project/{_quoted(id)}"))

    def edit_project(self, id: str, body: EditProject, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Created:
        """Edit a project, and export it

        Entries select by `sceneIdx` and `type`, and may be narrowed by `id`, `tag` or `clipIdx`. All of them apply, or none. With `copy` the edit goes into a new project and the original stays as it is."""
        return cast('Created', self._ask("POST", f"/api/odin/v3/editor/project/{_quoted(id)}", body=body, idempotency_key=idempotency_key, if_match=if_match))

    def cancel_export(self, id: str) -> Cancelled:
        """Cancel a project's running export

        Nothing is charged. `cancelled` is false when there was nothing to stop."""
        return cast('Cancelled', self._ask("POST", f"/api/odin/v3/editor/project/{_quoted(id)}/cancel", body={}))

    def list_exports(self, id: str, *, limit: Optional[int] = None, after: Optional[str] = None) -> List[ExportRecord]:
        """Exports of a project and the webhooks that told of them, newest first"""
        return cast('List[ExportRecord]', self._ask("GET", f"/api/odin/v3/editor/project/{_quoted(id)}/exports", query={"limit": limit, "after": after}))

    def preview_project(self, id: str, *, scene: Optional[str] = None, t: Optional[str] = None, width: Optional[str] = None, format: Optional[str] = None) -> bytes:
        """One frame of a project"""
        return self._bytes("GET", f"/api/odin/v3/editor/project/{_quoted(id)}/preview", query={"scene": scene, "t": t, "width": width, "format": format})

    def list_projects_older(self, *, page: Optional[int] = None, limit: Optional[int] = None, state: Optional[str] = None, workspace_id: Optional[str] = None, name: Optional[str] = None, after: Optional[str] = None) -> List[Listed]:
        """List projects, under an older name"""
        return cast('List[Listed]', self._ask("GET", "/api/odin/v3/editor/projects", query={"page": page, "limit": limit, "state": state, "workspaceId": workspace_id, "name": name, "after": after}))

    def create_from_template(self, id: str, body: FromTemplate, *, idempotency_key: Optional[str] = None) -> Created:
        """A copy of a project

        With another name or another presenter. What is to be other comes as JSON, as a form or in the query. Nothing is exported yet."""
        return cast('Created', self._ask("POST", f"/api/odin/v3/editor/template/{_quoted(id)}", body=body, idempotency_key=idempotency_key))

    def list_fonts(self) -> List[FontItem]:
        """Fonts for `fontFamily`

        First the account's own, face by face, with an `id` each; then the families that everybody has."""
        return cast('List[FontItem]', self._ask("GET", "/api/odin/v3/fonts"))

    def upload_font(self, file: Union[str, Path, bytes], *, licence: Optional[Literal["true"]] = None, idempotency_key: Optional[str] = None) -> List[FontItem]:
        """Send a font

        A form with `file` (TTF, OTF or TTC, at most 10 MB) and `licence=true`, by which you say that you may use the font in films and may give those films to others. Texts name its family from then on, also those of decks that are imported; other accounts do not have it. The answer has each of its faces. Refused are fonts whose maker forbids it (`fsType`), and families that everybody has."""
        return cast('List[FontItem]', self._ask("POST", "/api/odin/v3/fonts", form=({"licence": licence}, file), idempotency_key=idempotency_key))

    def delete_font(self, id: str) -> Deleted:
        """Delete a font of the account

        Films that were asked for before are made with it. Texts that name it are written with another from then on."""
        return cast('Deleted', self._ask("DELETE", f"/api/odin/v3/fonts/{_quoted(id)}"))

    def list_models(self) -> Models:
        """Presenters and what they wear"""
        return cast('Models', self._ask("GET", "/api/odin/v3/model"))

    def speak_text(self, body: SimpleAudio3, *, idempotency_key: Optional[str] = None) -> SpokenAnswer:
        """A text spoken, while you wait

        With the voice of a presenter, or of `tts`. `metaList` has the times of the words."""
        return cast('SpokenAnswer', self._ask("POST", "/api/odin/v3/simple/audio", body=body, idempotency_key=idempotency_key))

    def simple_custom(self, body: SimpleCustom, *, idempotency_key: Optional[str] = None) -> CustomMade:
        """A presenter alone on chroma green, in the first outfit unless another is named"""
        return cast('CustomMade', self._ask("POST", "/api/odin/v3/simple/custom", body=body, idempotency_key=idempotency_key))

    def simple_video(self, body: SimpleVideo3, *, idempotency_key: Optional[str] = None) -> Exported:
        """A presenter alone on chroma green, latest form

        Exported unless `isExport` is false."""
        return cast('Exported', self._ask("POST", "/api/odin/v3/simple/video", body=body, idempotency_key=idempotency_key))

    def read_storage(self) -> Storage:
        """How much room do my files take?

        Uploads, imports and exports beyond the plan's `limit` are refused with 4130 until something is deleted."""
        return cast('Storage', self._ask("GET", "/api/odin/v3/storage"))

    def list_templates(self) -> List[TemplateItem]:
        """Projects that others are made of"""
        return cast('List[TemplateItem]', self._ask("GET", "/api/odin/v3/templates"))

    def add_template(self, body: NewTemplate, *, idempotency_key: Optional[str] = None) -> TemplateItem:
        """Call a project a template

        It stays the project it is, and is listed under `templates`. `editor/template/{id}` makes others of it."""
        return cast('TemplateItem', self._ask("POST", "/api/odin/v3/templates", body=body, idempotency_key=idempotency_key))

    def drop_template(self, id: str) -> Deleted:
        """Call a project a template no longer

        The project stays."""
        return cast('Deleted', self._ask("DELETE", f"/api/odin/v3/templates/{_quoted(id)}"))

    def generate_image(self, body: ImageGenerator, *, idempotency_key: Optional[str] = None) -> MadeUp:
        """A picture of a topic

        An image model makes it, where the operator has named one; else 4031. It is kept for some days: fetch it, or link it in a film."""
        return cast('MadeUp', self._ask("POST", "/api/odin/v3/tools/image-generator", body=body, idempotency_key=idempotency_key))

    def generate_text(self, body: TextGenerator, *, idempotency_key: Optional[str] = None) -> TextWritten:
        """A text about a topic

        As a presenter would say it. A language model writes it, where the operator has named one; else 4031."""
        return cast('TextWritten', self._ask("POST", "/api/odin/v3/tools/text-generator", body=body, idempotency_key=idempotency_key))

    def generate_video(self, body: VideoGenerator, *, idempotency_key: Optional[str] = None) -> MadeUp:
        """A short film of a topic

        A video model makes it, where the operator has named one; else 4031. It is kept for some days: fetch it, or link it in a film."""
        return cast('MadeUp', self._ask("POST", "/api/odin/v3/tools/video-generator", body=body, idempotency_key=idempotency_key))

    def generate_voice(self, body: VoiceGenerator, *, idempotency_key: Optional[str] = None) -> SpokenAnswer:
        """A text spoken by a voice alone"""
        return cast('SpokenAnswer', self._ask("POST", "/api/odin/v3/tools/voice-generator", body=body, idempotency_key=idempotency_key))

    def list_voices(self, *, language: Optional[str] = None) -> List[VoiceItem]:
        """Voices for `tts.voice`"""
        return cast('List[VoiceItem]', self._ask("GET", "/api/odin/v3/voices", query={"language": language}))

    def read_waiting(self) -> Waiting:
        """How long would I wait?

        Before work on something begins that I ask for now, as things go. Accounts take turns, so that it is mostly my own requests that count."""
        return cast('Waiting', self._ask("GET", "/api/odin/v3/waiting"))

    def replay_webhook(self, delivery: str, *, idempotency_key: Optional[str] = None) -> Replayed:
        """Send a webhook once more"""
        return cast('Replayed', self._ask("POST", f"/api/odin/v3/webhooks/{_quoted(delivery)}/replay", body={}, idempotency_key=idempotency_key))

    def watch_film(self, export: str, expires: str, signature: str, name: str) -> bytes:
        """Watch a film while it is made

        The playlists and fragments (HLS) of an export's `streamUrl`. The link carries its own permission and expires. The playlist that it names is waited for, 8 seconds at most; 204 after that means that nothing is drawn yet."""
        return self._bytes("GET", f"/files/{_quoted(export)}/stream/{_quoted(expires)}/{_quoted(signature)}/{_quoted(name)}")

    def health(self) -> Health:
        """The same as `/health/ready`"""
        return cast('Health', self._ask("GET", "/health"))

    def wait(self, project_id: str, *, every: float = 1.0, patience: float = 3600) -> Progress:
        """Polls until the film is there. Raises CompereError when there will be none, TimeoutError after `patience` seconds."""
        until = time.monotonic() + patience
        while True:
            progress = self.read_progress(project_id)
            if progress["progress"] >= 100:
                return progress
            if time.monotonic() > until:
                raise TimeoutError(f"{project_id} is at {progress['progress']} % after {patience} s")
            time.sleep(every)

    def download(self, what: Union[str, Progress], path: Union[str, Path]) -> Path:
        """Stores what a link leads to, or the film of a progress record."""
        url = what if isinstance(what, str) else what["downloadUrl"]
        if url is None:
            raise ValueError("there is nothing to download yet")
        target = Path(path)
        part = target.with_name(target.name + ".part")
        with urllib.request.urlopen(url, timeout=self._timeout) as answer, part.open("wb") as file:
            while chunk := answer.read(1 << 20):
                file.write(chunk)
        return part.replace(target)

    def _ask(self, method: str, path: str, **more: Any) -> Any:
        result = json.loads(self._bytes(method, path, **more))
        if not isinstance(result, dict) or "success" not in result:
            return result
        if not result["success"]:
            raise CompereError(200, result.get("error", {}), result.get("data"))
        return result["data"]

    def _bytes(self, method: str, path: str, **more: Any) -> bytes:
        needs_token = not path.endswith("/auth/token") or method == "DELETE"
        if needs_token and not self._token:
            self._log_in()
        try:
            return self._send(method, path, **more)
        except CompereError as error:
            if error.code != 4011 or not self._pair[0]:
                raise
        self._log_in()
        return self._send(method, path, **more)

    def _log_in(self) -> None:
        app_id, user_key = self._pair
        self._token = self.issue_token({"appId": app_id, "userKey": user_key})["token"]

    def _send(
        self,
        method: str,
        path: str,
        body: Any = None,
        form: Any = None,
        query: Optional[Dict[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> bytes:
        given = {key: value for key, value in (query or {}).items() if value is not None}
        url = self.base + path + ("?" + urllib.parse.urlencode(given) if given else "")
        headers = {"Authorization": self._token} if self._token else {}
        if idempotency_key:
            headers["Idempotency-Key"] = idempotency_key
        if if_match:
            headers["If-Match"] = if_match
        data = None
        if form is not None:
            data, headers["Content-Type"] = _form(*form)
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as refused:
            try:
                error = json.loads(refused.read())["error"]
            except (ValueError, KeyError, TypeError):
                error = {"msg": refused.reason}
            raise CompereError(refused.code, error) from None


def _form(fields: Dict[str, Any], file: Union[str, Path, bytes]) -> Tuple[bytes, str]:
    name, content = ("file", file) if isinstance(file, bytes) else (Path(file).name, Path(file).read_bytes())
    boundary = secrets.token_hex(16)
    parts = []
    for key, value in fields.items():
        if value is not None:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{text}\r\n'.encode())
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    safe = name.replace('"', "%22").replace("\r", "").replace("\n", "")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{safe}"\r\nContent-Type: {kind}\r\n\r\n'
    parts.append(head.encode() + content + f"\r\n--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"
