import torch
import transformers
from told import tell

torch.manual_seed(0)
config = transformers.BertConfig(vocab_size=99, hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=64)
net = transformers.BertModel(config)
out = torch.compile(net)(torch.arange(14).reshape(2, 7)).last_hidden_state
out.square().mean().backward()
tell(out, net.embeddings.word_embeddings.weight.grad)
