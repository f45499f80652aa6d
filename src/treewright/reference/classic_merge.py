"""C4.5 -s."""
from dataclasses import replace
import numpy as np
from treewright.reference.classic_rows import *

H = dict(guard='guard', leak=True, extra='own', cut=.5, final=True, round=.5, eps=1e-9, single=.1)
def merged(self, sample, column, h=None):
    h = dict(h or H)
    real=self.real
    known = sample.known(column)
    if not len(known):
        if h['leak']: self.least = 1
        return None
    n=len(sample.data.columns[column].levels)
    code=known.values(column).astype(int)
    counts=known.counts(code,n)
    sizes=[self.sum(list(r)) for r in counts]
    blocks=[[l] for l in range(n) if sizes[l]>=h['cut']]
    C=[counts[b[0]] for b in blocks]
    absent=[l for l in range(n) if not sizes[l]>=h['cut']]
    T=self.least-h['round']
    unknown, rate, weight = self.known_weight(sample, column)
    base=real(spread_bits(known.counts())/weight)
    total=sample.total
    E=[sum(counts[l] for l in absent)] if absent and sum(counts[l] for l in absent).sum()>0 else []
    if h['extra']!='own': E=[]
    def score(C):
        CC=C+E
        S=np.array([self.sum(list(c)) for c in CC],real)
        if h['extra']=='own': g=self.gain(CC,weight,rate,base); i=self.info(S,unknown,total)
        else:
            K=real(S.sum()); b2=real(spread_bits(sum(C))/K)
            if h['extra']=='sub': t=K+unknown; u=unknown; r=real(unknown/t)
            elif h['extra']=='unk': t=total; u=total-K; r=real(u/t)
            elif h['extra']=='gainall': t=total; u=unknown; r=rate; b2=base; K=weight
            elif h['extra']=='lost': t=total; u=unknown; r=rate
            elif h['extra']=='lost2': t=total; u=unknown; r=rate; b2=base
            elif h['extra']=='lost3': t=total; u=unknown; r=rate; K=weight
            g=self.gain(CC,K,r,b2); i=self.info(S,u,t)
        return g,i,g/i if i>1e-3 else -1e-3,S[:len(C)]
    # single class
    a=0
    while a<len(blocks):
        c=int(np.argmax(C[a]))
        if C[a].sum()-C[a][c]<h['single']:
            b=a+1
            while b<len(blocks):
                if C[b].sum()-C[b][c]<h['single']:
                    C[a]=C[a]+C[b]; blocks[a]=blocks[a]+blocks[b]; C[b]=C[-1];blocks[b]=blocks[-1];C.pop();blocks.pop()
                else: b+=1
        a+=1
    if len(blocks)<2: return None
    g,i,v,S=score(C)
    while len(blocks)>2:
        R=(S>=T).sum()
        if h['guard']=='guard' and R<=2: break
        best=None; big=int(np.argmax(S))
        for a in range(len(blocks)):
            for b in range(a+1,len(blocks)):
                C2=list(C); C2[a]=C[a]+C[b]; C2[b]=C2[-1]; C2.pop()
                r=score(C2)
                if h['guard'] in('keep','nolargest') and (r[3]>=T).sum()<2: continue
                if h['guard']=='nolargest' and R==2 and big in (a,b): continue
                k=r[0] if self.by_gain else r[2]
                if best is None or k>=best[0]-h['eps']: best=(k,a,b,C2,r)
        if best is None: break
        k,a,b,C2,r=best
        if k<(g if self.by_gain else v)-h['eps']: break
        C=C2; g,i,v,S=r
        blocks[a]=blocks[a]+blocks[b]; blocks[b]=blocks[-1]; blocks.pop()
    if h['final'] and (S>=(self.least if h['final']=='exact' else T)).sum()<2: return None
    groups=tuple(tuple(sorted(b)) for b in blocks)+((tuple(absent),) if absent else ())
    al=[self.sum(list(sum(counts[l] for l in grp))) for grp in groups]
    shares=tuple((np.array(al)/weight).tolist())
    t0=self.measured(sample,known,Test(column,groups=tuple((l,) for l in range(n))),counts)
    return Test(column,groups=groups,strict=float(t0.gain),gain=g,info=i,ratio=g/i if i>0 else 0.,shares=shares)
