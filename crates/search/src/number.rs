//! Numbers of variable length: seven bits a byte, the lowest first, the high bit set on all but the
//! last (LEB128).

pub(crate) fn push(out: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front; `None` if it does not end or is too large.
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u64;
    for shift in (0..35).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 127) << shift;
        if first & 128 == 0 {
            return u32::try_from(number).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_taken() {
        for number in [0, 1, 127, 128, 300, 1 << 20, u32::MAX] {
            let mut bytes = Vec::new();
            push(&mut bytes, number);
            let mut rest = bytes.as_slice();
            assert_eq!((take(&mut rest), rest), (Some(number), &[][..]));
        }
        for cut in [
            &[][..],
            &[128],
            &[255, 255, 255, 255, 255, 1],
            &[255, 255, 255, 255, 127],
        ] {
            assert_eq!(take(&mut &*cut), None);
        }
    }
}
