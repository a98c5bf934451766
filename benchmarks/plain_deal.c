/* The yardstick: random playouts of one deal of nine cards each for four, spades to hearts with a
 * fixed trump, follow suit, else trump, else anything. The rules are written into the loop; nothing
 * else could be played by it. Prints decisions per second.
 *
 * usage: plain_deal PLAYOUTS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SEATS = 4, HAND = 9, LANE = 15 };
static const uint64_t SUIT = 0x3FFE;

static uint64_t generator = 12345;

static uint64_t below(uint64_t limit) {
    generator = (generator * 0x5DEECE66DULL + 11) & 0xFFFFFFFFFFFFULL;
    return ((generator >> 16) * limit) >> 32;
}

static uint64_t suit_of(uint64_t bit) {
    for (int suit = 0; suit < 3; suit++)
        if (bit & (SUIT << (LANE * suit))) return SUIT << (LANE * suit);
    return SUIT << (LANE * 3);
}

static void play_out(const uint64_t *dealt, uint64_t trumps, int *tricks) {
    uint64_t hands[SEATS];
    for (int seat = 0; seat < SEATS; seat++) hands[seat] = dealt[seat], tricks[seat] = 0;
    int leader = 0;
    for (int left = HAND; left; left--) {
        uint64_t asked = 0, over = 0;
        int best = leader;
        for (int place = 0; place < SEATS; place++) {
            int seat = (leader + place) % SEATS;
            uint64_t cards = hands[seat];
            if (place) {
                if (cards & asked) cards &= asked;
                else if (cards & trumps) cards &= trumps;
            }
            for (uint64_t skip = below(__builtin_popcountll(cards)); skip; skip--)
                cards &= cards - 1;
            uint64_t bit = cards & -cards;
            hands[seat] ^= bit;
            if (!place) asked = suit_of(bit);
            if (!place || bit & over) {
                best = seat;
                over = bit & trumps ? trumps & -(bit + bit) : (asked & -(bit + bit)) | trumps;
            }
        }
        tricks[best]++;
        leader = best;
    }
}

int main(int count, char **words) {
    long playouts = count > 1 ? atol(words[1]) : 1000000;
    uint64_t dealt[SEATS] = {0}, trumps = SUIT << (LANE * 2);
    int pack[36], size = 0, tricks[SEATS];
    for (int suit = 0; suit < 4; suit++)
        for (int rank = 6; rank <= 14; rank++) pack[size++] = suit * LANE + rank - 1;
    for (int place = size - 1; place; place--) {
        int other = below(place + 1), card = pack[place];
        pack[place] = pack[other], pack[other] = card;
    }
    for (int place = 0; place < size; place++) dealt[place % SEATS] |= 1ULL << pack[place];
    long total = 0;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (long number = 0; number < playouts; number++) {
        play_out(dealt, trumps, tricks);
        total += tricks[0];
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    double seconds = (to.tv_sec - from.tv_sec) + (to.tv_nsec - from.tv_nsec) * 1e-9;
    printf("%.0f %ld\n", playouts * (double)(SEATS * HAND) / seconds, total);
    return 0;
}
