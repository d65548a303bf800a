/* A small, stable face of libx264 for h264/ffi.rs: the layout of x264's structures and its versioned symbol
 * names stay on this side, so that no binding generator is needed. Everything that reaches the bit stream is set
 * here by name, never left to a preset that another version of the library may define otherwise. */

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x264.h>

typedef struct {
    int width;
    int height;
    int level;      /* level_idc, 41 for 4.1 */
    int threads;
    int preset;     /* 0 ultrafast .. 4 faster, 5 fast, 6 medium */
    int qp_p;       /* usual quantiser of predicted frames; every picture names its own */
    int qp_i;       /* usual quantiser of key frames */
    int finer_flats; /* flat macroblocks get a finer quantiser than that of their picture */
    int row_slices; /* one slice per macroblock row */
    int mv_range;   /* 0: what the level allows */
    int deblocking; /* 0 or 1 */
    int chroma_qp_offset; /* how much coarser colours are than light */
    int references;       /* pictures that a predicted one may look at, and that a decoder keeps */
    int footage;          /* everything moves: macroblocks are predicted in one piece, vectors searched with that in mind */
} cx_settings;

typedef struct {
    x264_t *x264;
    int64_t pts;
    char message[256];
} cx_encoder;

static void keep_message(void *opaque, int level, const char *format, va_list args)
{
    cx_encoder *encoder = opaque;
    if (level <= X264_LOG_ERROR && !encoder->message[0])
        vsnprintf(encoder->message, sizeof encoder->message, format, args);
}

static void give_message(const cx_encoder *encoder, char *message, size_t room)
{
    if (room)
        snprintf(message, room, "%s", encoder->message);
}

static void describe_stream(x264_param_t *p, const cx_settings *s)
{
    p->i_width = s->width;
    p->i_height = s->height;
    p->i_csp = X264_CSP_I420;
    p->i_bitdepth = 8;
    p->i_level_idc = s->level;
    p->vui.b_fullrange = 0;
    p->vui.i_colorprim = 1;
    p->vui.i_transfer = 1;
    p->vui.i_colmatrix = 1;
    p->vui.i_sar_width = 1;
    p->vui.i_sar_height = 1;
    p->i_fps_num = 30;
    p->i_fps_den = 1;
    p->i_timebase_num = 1;
    p->i_timebase_den = 30;
    p->b_vfr_input = 0;
    p->b_annexb = 0;
    p->b_repeat_headers = 0;
    p->b_aud = 0;
}

/* Everything one picture needs so that pieces of it can come from several encoders. */
static void make_spliceable(x264_param_t *p, const cx_settings *s)
{
    p->b_stitchable = 1;
    p->b_cabac = 1;
    p->analyse.b_transform_8x8 = 1;
    p->i_cqm_preset = X264_CQM_FLAT;
    p->i_bframe = 0;
    p->i_frame_reference = s->references;
    p->i_dpb_size = s->references;
    p->analyse.i_weighted_pred = X264_WEIGHTP_NONE;
    p->i_keyint_max = X264_KEYINT_MAX_INFINITE;
    p->i_keyint_min = 1;
    p->i_scenecut_threshold = 0;
    p->b_open_gop = 0;
    p->b_intra_refresh = 0;
    p->i_slice_max_mbs = s->row_slices ? (s->width + 15) / 16 : 0;
    p->b_deblocking_filter = s->deblocking;
    p->i_deblocking_filter_alphac0 = 0;
    p->i_deblocking_filter_beta = 0;
    p->analyse.b_psy = 0; /* its tricks change the PPS with the preset, and letters want to be exact */
    p->analyse.i_chroma_qp_offset = s->chroma_qp_offset;
    if (s->mv_range)
        p->analyse.i_mv_range = s->mv_range;
}

/* Where all of the picture moves there is no time to cut macroblocks into pieces: it takes half as long again, and for 4 % of
 * the bits. */
static void search_footage(x264_param_t *p)
{
    p->analyse.inter &= ~(unsigned)(X264_ANALYSE_PSUB16x16 | X264_ANALYSE_PSUB8x8);
    p->analyse.i_subpel_refine = 5;
    p->analyse.i_trellis = 1;
}

static void set_rate(x264_param_t *p, const cx_settings *s)
{
    p->rc.i_lookahead = 0;
    p->i_sync_lookahead = 0;
    p->rc.b_mb_tree = 0;
    p->rc.i_vbv_max_bitrate = 0;
    p->rc.i_vbv_buffer_size = 0;
    if (s->finer_flats) {
        /* x264 adapts quantisers only under a rate control; each picture's own is forced in cx_encode all the same. */
        p->rc.i_rc_method = X264_RC_CRF;
        p->rc.f_rf_constant = s->qp_p;
        p->rc.i_aq_mode = X264_AQ_VARIANCE;
    } else {
        p->rc.i_rc_method = X264_RC_CQP;
        p->rc.i_qp_constant = s->qp_p;
        p->rc.i_aq_mode = X264_AQ_NONE;
        /* Here these bound what cx_encode may force: a factor of 4 is 12 steps either way. */
        p->rc.f_ip_factor = 4.0f;
        p->rc.f_pb_factor = 4.0f;
    }
}

static const char *preset_of(int preset)
{
    static const char *const presets[] = {"ultrafast", "superfast", "veryfast", "faster", "fast", "medium"};
    return presets[preset < 0 ? 0 : preset > 5 ? 5 : preset];
}

cx_encoder *cx_open(const cx_settings *s, char *message, size_t room)
{
    cx_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder)
        return NULL;
    x264_param_t p;
    x264_param_default_preset(&p, preset_of(s->preset), NULL);
    p.pf_log = keep_message;
    p.p_log_private = encoder;
    p.i_log_level = X264_LOG_ERROR;
    p.i_threads = s->threads;
    p.i_lookahead_threads = 1;
    p.b_sliced_threads = s->threads > 1; /* threads by frames would hold pictures back */
    p.b_deterministic = 1;
    p.b_cpu_independent = 1;
    p.analyse.b_mb_info = 1;
    p.analyse.b_psnr = 0;
    p.analyse.b_ssim = 0;
    describe_stream(&p, s);
    make_spliceable(&p, s);
    if (s->footage)
        search_footage(&p);
    set_rate(&p, s);
    encoder->x264 = x264_encoder_open(&p);
    x264_param_cleanup(&p);
    if (!encoder->x264) {
        give_message(encoder, message, room);
        free(encoder);
        return NULL;
    }
    return encoder;
}

/* The SPS and PPS without start codes or lengths; they live until the next call. */
int cx_headers(cx_encoder *encoder, const uint8_t **sps, int *sps_len, const uint8_t **pps, int *pps_len)
{
    x264_nal_t *nals;
    int count;
    *sps = *pps = NULL;
    if (x264_encoder_headers(encoder->x264, &nals, &count) < 0)
        return -1;
    for (int i = 0; i < count; i++) {
        const uint8_t *payload = nals[i].p_payload + 4;
        int length = nals[i].i_payload - 4;
        if (nals[i].i_type == NAL_SPS) {
            *sps = payload;
            *sps_len = length;
        } else if (nals[i].i_type == NAL_PPS) {
            *pps = payload;
            *pps_len = length;
        }
    }
    return *sps && *pps ? 0 : -1;
}

/* How hard the pictures from here on are searched: as hard as a preset does. Nothing of it reaches the parameter sets.
 * Negative on failure. */
int cx_search(cx_encoder *encoder, int preset)
{
    x264_param_t now, wanted;
    x264_param_default_preset(&wanted, preset_of(preset), NULL);
    x264_encoder_parameters(encoder->x264, &now);
    now.analyse.i_subpel_refine = wanted.analyse.i_subpel_refine;
    now.analyse.i_trellis = wanted.analyse.i_trellis;
    encoder->message[0] = 0;
    int rc = x264_encoder_reconfig(encoder->x264, &now);
    x264_param_cleanup(&wanted);
    return rc;
}

/* How many pictures the next ones look at, no more than it was opened with. Negative on failure. */
int cx_refer(cx_encoder *encoder, int references)
{
    x264_param_t now;
    x264_encoder_parameters(encoder->x264, &now);
    now.i_frame_reference = references;
    encoder->message[0] = 0;
    return x264_encoder_reconfig(encoder->x264, &now);
}

/* Encodes one picture; its length-prefixed NALs live until the next call. Returns their size, or -1. 0 means that x264 held the picture back, which these settings exclude. */
int cx_encode(cx_encoder *encoder, const uint8_t *const planes[3], const int strides[3], int key, int qp,
              uint8_t *mb_info, const uint8_t **out)
{
    x264_picture_t in, done;
    x264_nal_t *nals;
    int count;
    x264_picture_init(&in);
    in.img.i_csp = X264_CSP_I420;
    in.img.i_plane = 3;
    for (int i = 0; i < 3; i++) {
        in.img.plane[i] = (uint8_t *)planes[i]; /* x264 only reads it */
        in.img.i_stride[i] = strides[i];
    }
    in.i_type = key ? X264_TYPE_IDR : X264_TYPE_P;
    in.i_qpplus1 = qp + 1;
    in.i_pts = encoder->pts++;
    in.prop.mb_info = mb_info;
    encoder->message[0] = 0;
    int size = x264_encoder_encode(encoder->x264, &nals, &count, &in, &done);
    *out = size > 0 ? nals[0].p_payload : NULL;
    return size;
}

void cx_message(const cx_encoder *encoder, char *message, size_t room)
{
    give_message(encoder, message, room);
}

void cx_close(cx_encoder *encoder)
{
    x264_encoder_close(encoder->x264);
    free(encoder);
}
