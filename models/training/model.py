"""The network: a small Llama, named and laid out as libllama's `llama` architecture expects, so that export only renames."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class Shape:
    vocabulary: int = 8192
    width: int = 256
    layers: int = 5
    heads: int = 8
    kv_heads: int = 4
    hidden: int = 704
    context: int = 2048
    rope_base: float = 10_000.0
    epsilon: float = 1e-5

    @property
    def head(self) -> int:
        return self.width // self.heads


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Interleaved RoPE: neighbours (2i, 2i+1) form a pair. x is [batch, heads, tokens, head]."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


class Block(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.attn_norm = nn.RMSNorm(shape.width, shape.epsilon)
        self.qkv = nn.Linear(shape.width, shape.width + 2 * shape.kv_heads * shape.head, bias=False)
        self.attn_output = nn.Linear(shape.width, shape.width, bias=False)
        self.ffn_norm = nn.RMSNorm(shape.width, shape.epsilon)
        self.gate_up = nn.Linear(shape.width, 2 * shape.hidden, bias=False)
        self.ffn_down = nn.Linear(shape.hidden, shape.width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, cache: list | None = None) -> Tensor:
        s = self.shape
        batch, tokens, _ = x.shape
        q, k, v = self.qkv(self.attn_norm(x)).split([s.width, s.kv_heads * s.head, s.kv_heads * s.head], dim=-1)
        q = rotate(q.view(batch, tokens, s.heads, s.head).transpose(1, 2), cos, sin).to(v.dtype)
        k = rotate(k.view(batch, tokens, s.kv_heads, s.head).transpose(1, 2), cos, sin).to(v.dtype)
        v = v.view(batch, tokens, s.kv_heads, s.head).transpose(1, 2)
        if cache is not None:
            if cache:
                k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
            cache[:] = [k, v]
        groups = s.heads // s.kv_heads
        k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=tokens > 1)
        x = x + self.attn_output(mixed.transpose(1, 2).reshape(batch, tokens, s.width))
        gate, up = self.gate_up(self.ffn_norm(x)).chunk(2, dim=-1)
        return x + self.ffn_down(F.silu(gate) * up)


class Llama(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.output_norm = nn.RMSNorm(shape.width, shape.epsilon)
        frequencies = shape.rope_base ** (-torch.arange(0, shape.head, 2).float() / shape.head)
        self.register_buffer("frequencies", frequencies, persistent=False)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                deep = name.endswith(("attn_output.weight", "ffn_down.weight"))
                nn.init.normal_(parameter, std=0.02 / (2 * shape.layers) ** 0.5 if deep else 0.02)

    def forward(self, ids: Tensor, positions: Tensor, caches: list | None = None) -> Tensor:
        """ids and positions are [batch, tokens]; the result is the normalised hidden state, [batch, tokens, width]."""
        angles = positions[:, None, :, None].float() * self.frequencies
        cos, sin = angles.cos(), angles.sin()
        x = self.token_embd(ids)
        for index, block in enumerate(self.blocks):
            x = block(x, cos, sin, None if caches is None else caches[index])
        return self.output_norm(x)

    def logits(self, hidden: Tensor) -> Tensor:
        """The output matrix is the embedding's: a third of the parameters for a third of the file."""
        return F.linear(hidden, self.token_embd.weight)
