"""
Trains the small network that reads a sentence for a question (src/answer/sentences/spans/sentence-model.ts).
`node bench/quality/train-sentence-model.ts` makes its examples, starts it and packs its weights. It needs PyTorch:
apt-get install python3-torch libopenblas0-pthread

  python3 train-sentence-model.py FOLDER --epochs 8 --seed 1

FOLDER holds examples.bin (records of float32, as train-sentence-model.ts writes them) and sizes.json. One thread: the same
seed gives the same weights. What was trained is the mean of the weights of the last steps, in weights.bin; known.bin has
the hashes of the word parts that have a vector, those of the most questions. Other parts say nothing: a language that
nothing was learned from is read by the shape of its words alone, and so is half of the training.

Two losses are added. The words of the right sentence: cross entropy and expected F1 of its runs. The choice of the
sentence: cross entropy over the sentences of a question and "none", whose logit is 0; a sentence's logit is that of the
trees, which stays as it is, plus that of the network.
"""
import argparse
import collections
import copy
import json
import math
import random
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

arguments = argparse.ArgumentParser()
arguments.add_argument('folder')
arguments.add_argument('--epochs', type=int, default=8)
arguments.add_argument('--seed', type=int, default=1)
given = arguments.parse_args()
torch.set_num_threads(1)
torch.manual_seed(given.seed)
random.seed(given.seed)
sizes = json.load(open(f'{given.folder}/sizes.json'))
PARTS, LONGEST, SMALL, SIZE = sizes['parts'], sizes['longest'], sizes['small'], sizes['size']
DROP, WORD_DROP, WORDLESS, ASKED_WORDLESS, RATE, BATCH = 0.2, 0.2, 0.5, 0.2, 3e-3, 24


def gated(x):
    return x[..., :SIZE] * torch.sigmoid(x[..., SIZE:])


class SentenceModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(sizes['known'] + 1, SMALL, padding_idx=0)
        nn.init.normal_(self.table.weight, 0, 0.3)
        self.table.weight.data[0] = 0
        self.types = nn.Embedding(sizes['types'], 16)
        self.attend = nn.Linear(SMALL, SMALL)
        self.question_in = nn.Linear(SMALL + sizes['questionFeatures'], SIZE)
        self.question_window = nn.Conv1d(SIZE, 2 * SIZE, 3, padding=1)
        self.question_pool = nn.Linear(SIZE, 2)
        self.question_out = nn.Linear(2 * SIZE + 16, SIZE)
        self.sentence_in = nn.Linear(2 * SMALL + sizes['featuresAWord'] + 3, SIZE)
        self.question_to_sentence = nn.Linear(SIZE, SIZE)
        self.windows = nn.ModuleList([nn.Conv1d(SIZE, 2 * SIZE, 3, padding=d, dilation=d) for d in (1, 2, 3)])
        self.asked = nn.ModuleList([nn.Linear(SIZE, 2 * SIZE) for _ in range(3)])
        self.norms = nn.ModuleList([nn.LayerNorm(SIZE) for _ in range(3)])
        self.norm = nn.LayerNorm(SIZE)
        self.roles = nn.Linear(SIZE, 3)
        self.roles_asked = nn.Linear(SIZE, 3 * SIZE)
        self.start_pair = nn.Linear(SIZE, 24)
        self.end_pair = nn.Linear(SIZE, 24)
        self.lengths = nn.Linear(SIZE, LONGEST)
        self.whole = nn.Linear(2 * SIZE, 1)
        self.drop = nn.Dropout(DROP)

    def forward(self, words, asked, features, asked_features, alike, types, right, counts):
        """Logits of the runs of the sentences `right`, and a logit of each sentence."""
        here, there = (torch.arange(x.shape[1])[None] < n[:, None] for x, n in zip((words, asked), counts))
        own, other = self.table(words).sum(2) / PARTS**0.5, self.table(asked).sum(2) / PARTS**0.5
        if self.training:
            own = own * (torch.rand(own.shape[:2] + (1,)) > WORD_DROP) / (1 - WORD_DROP)
            own = own * (torch.rand(own.shape[0], 1, 1) > WORDLESS)
            other = other * (torch.rand(own.shape[0], 1, 1) > ASKED_WORDLESS)
        own, other = self.drop(own), self.drop(other)
        likeness = F.relu(self.attend(own)) @ F.relu(self.attend(other)).transpose(1, 2) * 0.2 + alike * 4
        aligned = torch.softmax(likeness.masked_fill(~there[:, None, :], -1e4), 2) @ other
        q = F.relu(self.question_in(torch.cat([other, asked_features], 2))) * there[..., None]
        q = q + gated(self.question_window(q.transpose(1, 2)).transpose(1, 2))
        pools = torch.softmax(self.question_pool(q).masked_fill(~there[..., None], -1e4), 1)
        pooled = torch.cat([(pools.transpose(1, 2) @ q).flatten(1), self.types(types)], 1)
        q = self.drop(torch.tanh(self.question_out(pooled)))
        near = alike.max(2).values[..., None]
        agree = (own * aligned).mean(2, keepdim=True) * 5
        x = self.sentence_in(torch.cat([own, aligned, features, near, agree, here[..., None].float()], 2))
        x = F.relu(x + self.question_to_sentence(q)[:, None]) * here[..., None]
        for window, asks, norm in zip(self.windows, self.asked, self.norms):
            seen = self.drop(norm(x) * here[..., None]).transpose(1, 2)
            x = (x + gated(window(seen).transpose(1, 2) + asks(q)[:, None])) * here[..., None]
        x = self.drop(self.norm(x)) * here[..., None]
        most = x.masked_fill(~here[..., None], -1e4).max(1).values
        whole = self.whole(torch.cat([most, x.sum(1) / here.sum(1, keepdim=True)], 1))[:, 0]
        x, q = x[right], q[right]
        by_question = self.roles_asked(q).view(-1, 3, SIZE)
        start, end, inside = (self.roles(x) + 0.2 * x @ by_question.transpose(1, 2)).unbind(2)
        a, b, lengths = self.start_pair(x), self.end_pair(x), self.lengths(q)
        count = x.shape[1]
        end, b = F.pad(end, (0, LONGEST)), F.pad(b, (0, 0, 0, LONGEST))
        inside = F.pad(F.pad(inside, (0, LONGEST)).cumsum(1), (1, 0))
        runs = torch.stack([
            start + end[:, n:n + count] + 0.2 * (a * b[:, n:n + count]).sum(2)
            + (inside[:, n + 1:n + 1 + count] - inside[:, :count]) / math.sqrt(n + 1) + lengths[:, n:n + 1]
            for n in range(LONGEST)
        ], 2)
        return runs, whole

    def parameters_in_order(self):
        """As `build` of sentence-model-pack.ts takes them."""
        layer = lambda one: [one.weight, one.bias]
        window = lambda one: [one.weight.permute(0, 2, 1), one.bias]
        out = [self.table.weight[1:] / PARTS**0.5, self.types.weight, torch.zeros(sizes['types'])]
        out += layer(self.attend) + layer(self.question_in) + window(self.question_window)
        out += layer(self.question_pool) + layer(self.question_out) + layer(self.sentence_in)
        out += layer(self.question_to_sentence)
        for one, asks, norm in zip(self.windows, self.asked, self.norms):
            out += window(one) + layer(asks) + layer(norm)
        out += layer(self.norm) + layer(self.roles) + layer(self.roles_asked)
        return out + layer(self.start_pair) + layer(self.end_pair) + layer(self.lengths) + layer(self.whole)


def examples():
    """Questions: the weight of each, and its sentences with arrays, type, logit of the trees, and whether it answers."""
    data, at, out = np.fromfile(f'{given.folder}/examples.bin', np.float32), 0, []
    while at < len(data):
        count, weight, at, sentences = int(data[at]), float(data[at + 1]), at + 2, []
        for _ in range(count):
            n, m, kind, score, gold, has_runs = (float(x) for x in data[at:at + 6])
            n, m, at, arrays = int(n), int(m), at + 6, []
            shapes = [(n, PARTS), (m, PARTS), (n, sizes['featuresAWord']), (m, sizes['questionFeatures']), (n, m)]
            for shape in shapes + ([(n, LONGEST)] if has_runs else []):
                length = shape[0] * shape[1]
                arrays.append(data[at:at + length].reshape(shape))
                at += length
            sentences.append((arrays, int(kind), score, gold > 0))
        out.append((sentences, weight))
    return out


def learn_parts(data):
    """Puts rows of the table for hashes; 0 for the parts that have no vector. Returns the hashes that have one."""
    questions = collections.Counter()
    for sentences, weight in data:
        held = [arrays[1] for arrays, *_ in sentences[:1]] + [arrays[0] for arrays, *_ in sentences]
        for one in np.unique(np.concatenate([x.reshape(-1) for x in held])).tolist():
            questions[one] += weight
    most = sorted(questions, key=lambda one: (-questions[one], one))[:sizes['known']]
    known = np.array(sorted(most), np.float32)
    for sentences, _ in data:
        for arrays, *_ in sentences:
            for k in (0, 1):
                at = np.searchsorted(known, arrays[k]).clip(max=len(known) - 1)
                arrays[k] = np.where(known[at] == arrays[k], at + 1, 0).astype(np.float32)
    return known


def stack(sentences, k, filled=0):
    shapes = [arrays[k].shape for arrays, *_ in sentences]
    full = np.full((len(sentences), max(s[0] for s in shapes), max(s[1] for s in shapes)), filled, np.float32)
    for i, (arrays, *_) in enumerate(sentences):
        full[i, :shapes[i][0], :shapes[i][1]] = arrays[k]
    return torch.from_numpy(full)


def choice_loss(whole, chosen, weights):
    width, at = max(len(sentences) for sentences, _ in chosen), 0
    logits, gold = [], torch.zeros(len(chosen), width + 1, dtype=torch.bool)
    for i, (sentences, _) in enumerate(chosen):
        trees = torch.tensor([score for _, _, score, _ in sentences])
        logits.append(F.pad(whole[at:at + len(sentences)] + trees, (0, width - len(sentences)), value=-1e4))
        at += len(sentences)
        for k, (_, _, _, is_gold) in enumerate(sentences):
            gold[i, k] = is_gold
        gold[i, width] = not gold[i].any()
    logs = torch.log_softmax(F.pad(torch.stack(logits), (0, 1)), 1)
    return -(torch.logsumexp(logs.masked_fill(~gold, -1e4), 1) * weights).sum()


def loss_of(model, chosen):
    sentences = [one for each, _ in chosen for one in each]
    weights = torch.tensor([weight for _, weight in chosen])
    total = weights.sum()
    of_sentence = [weight for each, weight in chosen for _ in each]
    right = [i for i, (arrays, *_) in enumerate(sentences) if len(arrays) == 6]
    words, asked, *others = (stack(sentences, k) for k in range(5))
    types = torch.tensor([kind for _, kind, _, _ in sentences])
    counts = [torch.tensor([len(arrays[k]) for arrays, *_ in sentences]) for k in (0, 1)]
    runs, whole = model(words.long(), asked.long(), *others, types, right, counts)
    loss = choice_loss(whole, chosen, weights / total)
    if right:
        f1 = stack([sentences[i] for i in right], 5, -1)
        loss = loss + runs_loss(runs[:, :f1.shape[1]], f1, torch.tensor([of_sentence[i] for i in right]) / total)
    return loss


def runs_loss(scores, f1, weights):
    """Cross entropy to the best runs of words, and the F1 that is to be expected to be missed."""
    mask = (f1 >= 0).flatten(1)
    logs = torch.log_softmax(scores.flatten(1).masked_fill(~mask, -1e4), 1)
    f1 = f1.clamp(min=0).flatten(1)
    best = f1.max(1, keepdim=True).values
    target = torch.where(f1 >= best - 1e-4, torch.ones_like(f1), 0.15 * f1**4) * mask
    target = target / target.sum(1, keepdim=True)
    missed = 1 - (logs.exp() * f1).sum(1) / best[:, 0]
    return ((0.5 * -(target * logs).sum(1) + 2 * missed) * weights).sum()


data = examples()
known, model = learn_parts(data), SentenceModel()
mean = copy.deepcopy(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
steps, step, started = given.epochs * math.ceil(len(data) / BATCH), 0, time.time()
print(f'{len(data)} examples, {steps} steps', flush=True)
for epoch in range(given.epochs):
    random.shuffle(data)
    batches = []
    for at in range(0, len(data), 20 * BATCH):  # of like length, so that little is padding
        part = sorted(data[at:at + 20 * BATCH], key=lambda one: max(len(arrays[0]) for arrays, *_ in one[0]))
        batches += [part[k:k + BATCH] for k in range(0, len(part), BATCH)]
    random.shuffle(batches)
    total = 0
    for chosen in batches:
        for group in optimizer.param_groups:
            group['lr'] = RATE * min(1, step / 200) * max(0.02, 0.5 * (1 + math.cos(math.pi * step / steps)))
        loss = loss_of(model, chosen)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        step += 1
        total += loss.item()
        keep = min(0.998, (1 + step) / (20 + step))
        with torch.no_grad():
            for slow, now in zip(mean.parameters(), model.parameters()):
                slow.mul_(keep).add_(now, alpha=1 - keep)
    print(f'epoch {epoch + 1}: loss {total / len(batches):.3f}, {time.time() - started:.0f} s', flush=True)
values = [one.detach().reshape(-1) for one in mean.parameters_in_order()]
known.astype(np.int32).tofile(f'{given.folder}/known.bin')
torch.cat(values).numpy().astype(np.float32).tofile(f'{given.folder}/weights.bin')
