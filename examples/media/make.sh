#!/bin/sh
# Makes the pictures, the film and the sounds that the examples link to. Needs ffmpeg, espeak-ng and nothing from a network.
#
#   examples/media/make.sh [ASSETS]     ASSETS is the assets folder of the installation, `assets` by default
set -eu

out="${1:-assets}/examples/media"
mkdir -p "$out"
ff() { ffmpeg -nostdin -hide_banner -loglevel error -y "$@"; }

# A colour field that drifts: the film, and one still of it for the JPEG.
dusk="c0=0x0b1f3a:c1=0x7c3aed:c2=0xef5b4c:c3=0xf59e0b:n=4:seed=7"
ff -f lavfi -i "gradients=s=960x960:$dusk:type=linear:x0=420:y0=0:x1=540:y1=960" -vf "vignette=PI/5" -frames:v 1 -q:v 2 "$out/dusk.jpg"
ff -f lavfi -i "mandelbrot=s=800x800:start_x=-0.7453:start_y=0.1127:start_scale=0.012:end_scale=0.012:maxiter=400" \
  -vf "format=gray,gblur=1.2,format=rgb24,lutrgb=r='11+val*0.93':g='31+val*0.74':b='58+val*0.52'" \
  -frames:v 1 -quality 88 "$out/fractal.webp"

# A ring that is transparent inside and out, with soft edges: shows whether alpha is honoured.
ring="clip(4-abs(hypot(X-320\,Y-320)-250)/12\,0\,1)"
dot="clip((120-hypot(X-320\,Y-320))/3\,0\,1)"
ff -f lavfi -i "color=black:s=640x640,format=rgba" \
  -vf "geq=r='if(lt(hypot(X-320,Y-320),160),245,13)':g='if(lt(hypot(X-320,Y-320),160),158,148)':b='if(lt(hypot(X-320,Y-320),160),11,136)':a='255*max($ring\,$dot)'" \
  -frames:v 1 "$out/badge.png"

# Ten frames; a film shows the first.
ff -f lavfi -i "color=0xfde68a:s=400x400:r=10:d=1,format=rgb24" \
  -vf "geq=r='if(lt(hypot(X-200,Y-200),150-8*N),239,253)':g='if(lt(hypot(X-200,Y-200),150-8*N),91,230)':b='if(lt(hypot(X-200,Y-200),150-8*N),76,138)',split[a][b];[a]palettegen[p];[b][p]paletteuse" \
  "$out/pulse.gif"

cat > "$out/mark.svg" <<'SVG'
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">
  <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#2563eb"/><stop offset="1" stop-color="#0d9488"/></linearGradient></defs>
  <rect width="200" height="200" rx="44" fill="url(#g)"/>
  <circle cx="100" cy="78" r="30" fill="#fff"/>
  <path d="M44 164c4-38 28-56 56-56s52 18 56 56z" fill="#fff"/>
</svg>
SVG

# Two chords that breathe. Every voice swells on its own, so the loop is never quite still.
swell() { printf '0.5*(1-cos(2*PI*t/%s))*sin(2*PI*%s*t)' "$1" "$2"; }
chord="0.14*($(swell 8 130.81)+$(swell 9 196)+$(swell 7 261.63)+$(swell 11 329.63)+$(swell 6 392))"
ff -f lavfi -i "aevalsrc=exprs=$chord:s=48000:d=60" -af "afade=in:d=2,afade=out:st=56:d=4,aecho=0.8:0.6:60:0.3" \
  -ac 2 -c:a aac -b:a 128k "$out/calm.m4a"
ff -f lavfi -i "aevalsrc=exprs=0.3*exp(-3*t)*(sin(2*PI*880*t)+0.5*sin(2*PI*1318.5*t)+0.25*sin(2*PI*1760*t)):s=48000:d=2" \
  -ac 2 "$out/chime.wav"
ff -f lavfi -i "gradients=s=1280x720:r=30:d=6:$dusk:type=linear:x0=0:y0=0:x1=1280:y1=720:speed=0.02" -i "$out/calm.m4a" \
  -t 6 -vf "format=yuv420p" -c:v libx264 -crf 20 -preset medium -c:a aac -b:a 128k "$out/flow.mp4"

# Somebody reads the text of recording.json, in a room and not too loud.
espeak-ng -v en-us+f3 -s 150 --stdout "Good morning. My own voice, recorded on a telephone, is what you hear. The presenter moves her lips to it, and the captions come from the script." |
  ff -i - -af "adelay=700,apad=pad_dur=1,aecho=0.8:0.5:23:0.15,volume=-9dB" -ar 48000 -c:a aac -b:a 96k "$out/greeting.m4a"
