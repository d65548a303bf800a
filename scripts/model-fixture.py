import sys,glob,os,numpy as np
from pygltflib import *
A='/work/cache/assets/avatars/'
vs=[];vt=[];tri={};g=''
for l in open(A+'mpfb2/3dobjs/base.obj'):
    p=l.split()
    if not p: continue
    if p[0]=='v': vs.append([float(x) for x in p[1:4]])
    elif p[0]=='vt': vt.append([float(p[1]),float(p[2])])
    elif p[0]=='g': g=p[1]
    elif p[0]=='f':
        k={'body':0,'helper-l-eye':1,'helper-r-eye':1,'helper-upper-teeth':2,'helper-lower-teeth':2,'helper-tongue':3}.get(g)
        if k is None: continue
        c=[int(x.split('/')[0])-1 for x in p[1:]]
        for i in range(1,len(c)-1): tri.setdefault(k,[]).append([c[0],c[i],c[i+1]])
vs=np.array(vs,np.float32)
n=np.zeros_like(vs)
for t in tri.values():
    t=np.array(t);f=np.cross(vs[t[:,1]]-vs[t[:,0]],vs[t[:,2]]-vs[t[:,0]])
    for k in range(3): np.add.at(n,t[:,k],f)
n/=np.maximum(np.linalg.norm(n,axis=1,keepdims=True),1e-9)
targets={}
for f in sorted(glob.glob(A+'faceunits01/targets/faceunits/*.target')):
    d=np.zeros_like(vs)
    for l in open(f):
        p=l.split()
        if len(p)==4 and p[0].isdigit(): d[int(p[0])]=[float(x) for x in p[1:]]
    targets[os.path.basename(f)[:-7]]=d
g=GLTF2();blob=b''
def acc(a,typ,ct,mm=False):
    global blob
    a=np.ascontiguousarray(a);b=a.tobytes();b+=b'\0'*(-len(b)%4)
    g.bufferViews.append(BufferView(buffer=0,byteOffset=len(blob),byteLength=len(b)));blob+=b
    g.accessors.append(Accessor(bufferView=len(g.bufferViews)-1,componentType=ct,count=len(a),type=typ,min=a.min(0).tolist() if mm else None,max=a.max(0).tolist() if mm else None))
    return len(g.accessors)-1
P=acc(vs,'VEC3',FLOAT,True);N=acc(n.astype(np.float32),'VEC3',FLOAT)
T=[Attributes(POSITION=acc(d,'VEC3',FLOAT,True)) for d in targets.values()]
cols=[[.75,.42,.30,1],[.9,.9,.9,1],[.85,.82,.75,1],[.5,.12,.12,1]]
prims=[]
for k in sorted(tri):
    g.materials.append(Material(pbrMetallicRoughness=PbrMetallicRoughness(baseColorFactor=cols[k]),doubleSided=True))
    prims.append(Primitive(attributes=Attributes(POSITION=P,NORMAL=N),indices=acc(np.array(tri[k],np.uint32).reshape(-1),'SCALAR',UNSIGNED_INT),material=k,targets=T))
g.meshes.append(Mesh(primitives=prims,extras={'targetNames':list(targets)}))
g.nodes.append(Node(mesh=0,name='Head'));g.scenes.append(Scene(nodes=[0]));g.scene=0
g.buffers.append(Buffer(byteLength=len(blob)));g.set_binary_blob(blob);g.save_binary('/tmp/fix.glb');print(len(blob),list(targets)[:3])
