export interface VoiceSettings {
  readonly stability: number;
  readonly similarity_boost: number;
  readonly style: number;
  readonly use_speaker_boost: boolean;
  readonly speed: number;
}

export const defaultSettings: VoiceSettings = {
  stability: 0.5,
  similarity_boost: 0.75,
  style: 0,
  use_speaker_boost: true,
  speed: 1,
};

export interface StoredVoice {
  readonly id: string;
  name: string;
  description: string | null;
  labels: Readonly<Record<string, string>>;
  readonly category: 'premade' | 'cloned' | 'generated' | 'professional';
  /** Comes from the shared library: not for the Free plan. */
  readonly library: boolean;
  readonly createdAt: number;
  settings: VoiceSettings;
  /** Names and sizes of the recordings. */
  samples: readonly { readonly name: string; readonly bytes: number }[];
  /** Of the sine it speaks with, in Hz. */
  readonly pitch: number;
}

export interface SharedVoice {
  readonly ownerId: string;
  readonly voiceId: string;
  readonly name: string;
  readonly language: string;
  readonly gender: string;
  readonly age: string;
  readonly accent: string;
  readonly useCase: string;
  readonly category: string;
  /** Multiplies the cost. */
  readonly rate: number;
}

/** An account's voices, and the library others share. */
export class VoiceStore {
  readonly voices: Map<string, StoredVoice> = new Map();
  readonly shared: readonly SharedVoice[];
  #made = 0;

  constructor(names: Readonly<Record<string, string>>, shared: readonly SharedVoice[]) {
    for (const [id, name] of Object.entries(names)) this.add({ id, name, category: 'premade' });
    this.shared = shared;
  }

  add(voice: Pick<StoredVoice, 'id' | 'name' | 'category'> & Partial<StoredVoice>): StoredVoice {
    const stored: StoredVoice = {
      description: null,
      labels: {},
      library: false,
      createdAt: 1_790_000_000 + this.#made,
      settings: defaultSettings,
      samples: [],
      pitch: 110 + ((this.#made * 37) % 220),
      ...voice,
    };
    this.#made += 1;
    this.voices.set(stored.id, stored);
    return stored;
  }
}

export const defaultVoices: Readonly<Record<string, string>> = {
  v_narrator: 'Narrator',
  v_host: 'Host',
  v_guest: 'Guest',
  'v/odd id': 'A voice whose id needs encoding',
};

export const defaultShared: readonly SharedVoice[] = Array.from({ length: 7 }, (_, at) => ({
  ownerId: `owner_${at % 3}`,
  voiceId: `shared_${at}`,
  name: ['Ada', 'Bruno', 'Chen', 'Dalia', 'Emre', 'Freya', 'Gus'][at] ?? `Voice ${at}`,
  language: at % 2 === 0 ? 'en' : 'de',
  gender: at % 2 === 0 ? 'female' : 'male',
  age: 'middle_aged',
  accent: 'neutral',
  useCase: at < 4 ? 'narration' : 'conversational',
  category: 'professional',
  rate: at === 0 ? 2 : 1,
}));
